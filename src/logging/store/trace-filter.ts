import { traceIdLength } from "../../lib/ids.ts";

/**
 * A Bloom filter over the trace IDs of a block: it says "not here" or "maybe here", so that a search for one trace
 * opens the few blocks that may hold it. Ten bits for each and four probes err about once in a hundred.
 */

const bitsPerTrace = 10;
const probes = 4;
const marker = '"trace_id":"';

/** The filter of the trace IDs found in JSON lines. */
export function createTraceFilter(lines: Buffer, count: number): Uint8Array {
  const filter = new Uint8Array(Math.max(8, Math.ceil((count * bitsPerTrace) / 8)));
  for (let at = lines.indexOf(marker); at !== -1; at = lines.indexOf(marker, at + marker.length)) {
    const start = at + marker.length;
    visitBits(hash(lines, start), filter.length * 8, (bit) => {
      filter[bit >> 3]! |= 1 << (bit & 7);
      return true;
    });
  }
  return filter;
}

export function mayHoldTrace(filter: Uint8Array, traceId: string): boolean {
  return visitBits(hash(Buffer.from(traceId, "latin1"), 0), filter.length * 8, (bit) => {
    return (filter[bit >> 3]! & (1 << (bit & 7))) !== 0;
  });
}

function visitBits(
  [first, second]: [number, number],
  size: number,
  visit: (bit: number) => boolean,
): boolean {
  for (let probe = 0; probe < probes; probe++) {
    if (!visit(((first + Math.imul(probe, second)) >>> 0) % size)) return false;
  }
  return true;
}

/** Two independent 32-bit hashes of the letters; the IDs are random, so mixing lightly is enough. */
function hash(bytes: Buffer, start: number): [number, number] {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let index = start; index < start + traceIdLength; index++) {
    const byte = bytes[index] ?? 0;
    first = Math.imul(first ^ byte, 0x01000193);
    second = Math.imul(second ^ byte, 0x85ebca6b);
  }
  return [first ^ (first >>> 15), second | 1];
}
