/**
 * The number of the newest request that a client knows of each process, by epoch: numbers start again after a restart.
 * Epochs of an instance are in the order of their starts. A client gets the marks as a cursor, which every instance
 * understands.
 */
export type RecentMarks = ReadonlyMap<string, number>;

/** A process without newer requests has no mark, so that a cursor fits into a URL however many have stopped. */
export const markedMs = 10 * 60_000;

const unread = "0";

/** The marks of a client that has not received the requests of other instances yet. */
export const nothingRead: RecentMarks = new Map([[unread, 0]]);

/** Only requests of the process after this time are new to a client with these marks. */
export function unreadSince(marks: RecentMarks, epoch: string, now: number): number {
  return marks.size === 0 || marks.has(unread) || marks.has(epoch) ? 0 : now - markedMs;
}

export function formatMarks(marks: RecentMarks): string {
  return [...marks].map(([epoch, number]) => `${epoch}.${number.toString(36)}`).join(".");
}

/** Undefined if the text is not a cursor. */
export function parseMarks(text: string): RecentMarks | undefined {
  const parts = text.split(".");
  if (parts.length % 2 !== 0 || !parts.every((part) => /^[0-9a-z]+$/.test(part))) return undefined;
  const marks = new Map<string, number>();
  for (let at = 0; at < parts.length; at += 2) {
    const number = Number.parseInt(parts[at + 1]!, 36);
    if (!Number.isSafeInteger(number)) return undefined;
    marks.set(parts[at]!, number);
  }
  return marks;
}
