/** The newest request of an instance that a client knows. */
export interface RecentMark {
  /** The process: numbers start again after a restart. Epochs of an instance are in the order of their starts. */
  readonly epoch: string;
  readonly number: number;
}

/** The marks of all instances. A client gets them as a cursor, which every instance understands. */
export type RecentMarks = ReadonlyMap<string, RecentMark>;

export function formatMarks(marks: RecentMarks): string {
  const entries = [...marks].map(([instance, { epoch, number }]) => [instance, epoch, number]);
  return Buffer.from(JSON.stringify(entries)).toString("base64url");
}

/** Undefined if the text is not a cursor. */
export function parseMarks(text: string): RecentMarks | undefined {
  try {
    const entries: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (!Array.isArray(entries) || !entries.every(isEntry)) return undefined;
    return new Map(entries.map(([instance, epoch, number]) => [instance, { epoch, number }]));
  } catch {
    return undefined;
  }
}

function isEntry(entry: unknown): entry is [string, string, number] {
  return (
    Array.isArray(entry) &&
    entry.length === 3 &&
    typeof entry[0] === "string" &&
    typeof entry[1] === "string" &&
    typeof entry[2] === "number"
  );
}
