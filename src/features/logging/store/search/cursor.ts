/**
 * Position of a search: everything newer than `time` has been searched, and so has the given number of records of that
 * millisecond. It does not refer to a block, because small blocks may be merged between pages.
 */
export interface Position {
  readonly time: number;
  readonly passed: number;
}

const written = /^(\d{1,15})-(\d{1,9})$/;

export const isCursor = (text: string): boolean => written.test(text);

export function formatCursor({ time, passed }: Position): string {
  return `${time}-${passed}`;
}

export function parseCursor(text: string): Position {
  const match = written.exec(text);
  if (!match) throw new RangeError("Invalid cursor: use the cursor of a previous page.");
  return { time: Number(match[1]), passed: Number(match[2]) };
}

/** Whether a search has progressed beyond `start`. */
export function isBeyond(reached: Position, start: Position): boolean {
  return reached.time === start.time ? reached.passed > start.passed : reached.time < start.time;
}
