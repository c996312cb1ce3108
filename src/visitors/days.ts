export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The day in UTC, counted from the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/** The hour in UTC, counted from the epoch. */
export function hourOf(time: number): number {
  return Math.floor(time / hourMs);
}

/** As people write it: 2026-11-15. */
export function showDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
