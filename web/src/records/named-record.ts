import type { LogRecord } from "../../../src/features/logging/wire.ts";

/** A record with a generated ID: its hash, and a counter for records with identical content. */
export interface NamedRecord {
  readonly id: string;
  readonly time: number;
  readonly record: LogRecord;
}

/** Each record is hashed only once. */
const hashes = new WeakMap<LogRecord, string>();

export function nameRecords(records: readonly LogRecord[]): NamedRecord[] {
  const counts = new Map<string, number>();
  // Starting with the oldest, so that new records do not change the IDs of existing ones.
  const named = [...records].reverse().map((record) => {
    const hash = hashOf(record);
    const count = counts.get(hash) ?? 0;
    counts.set(hash, count + 1);
    return { id: `${hash}-${count}`, time: Date.parse(record.time), record };
  });
  return named.reverse();
}

function hashOf(record: LogRecord): string {
  let hash = hashes.get(record);
  if (hash === undefined) {
    hash = record.time + hashText(JSON.stringify(record));
    hashes.set(record, hash);
  }
  return hash;
}

/** A short hash; collisions are unlikely among records of the same millisecond. */
function hashText(text: string): string {
  let [one, other] = [0x811c9dc5, 5_381];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    other = (Math.imul(other, 33) + code) | 0;
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36);
}
