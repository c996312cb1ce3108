import { dayMs, hourMs } from "../../lib/time/units.ts";

/** Days since the epoch, in UTC. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/** Hours since the epoch, in UTC. */
export function hourOf(time: number): number {
  return Math.floor(time / hourMs);
}

/** Formats a day: 2026-11-15. */
export function showDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
