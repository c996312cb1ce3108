/**
 * Where a search stands: everything newer than `time` lies behind it, and so do that many of the records of that very
 * millisecond. It names no block, because small blocks are put together while somebody turns the pages.
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
  if (!match) throw new RangeError("The cursor is not one that a search gave out.");
  return { time: Number(match[1]), passed: Number(match[2]) };
}

/** Whether a search has got further than that. */
export function isBeyond(reached: Position, start: Position): boolean {
  return reached.time === start.time ? reached.passed > start.passed : reached.time < start.time;
}
