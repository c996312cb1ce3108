import type { TimeWindow } from "../state/time-window.ts";

/** Two periods of the same length, one directly after the other. */
export interface Periods {
  readonly before: TimeWindow;
  readonly after: TimeWindow;
}

const minute = 60_000;

/** The lengths of the periods before and after a moment. */
export const lengths = {
  "5m": 5 * minute,
  "15m": 15 * minute,
  "1h": 60 * minute,
  "6h": 360 * minute,
  "24h": 1_440 * minute,
} as const;

export type Length = keyof typeof lengths;

/** Reads `1700000000000` as a moment and `1700000000000-1700000900000` as a period. */
export function readSubject(text: string): { readonly at: number; readonly until?: number } | undefined {
  const [, at, until] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? [];
  if (at === undefined) return undefined;
  if (until === undefined) return { at: Number(at) };
  return Number(at) < Number(until) ? { at: Number(at), until: Number(until) } : undefined;
}

/** Before and after a moment. The period after it ends now at the latest, and both are equally long. */
export function periodsAround(at: number, length: Length, now: number): Periods {
  return periodsOf({ from: at, to: Math.min(at + lengths[length], Math.max(now, at + minute)) });
}

/** A period and the one before it. Metrics are stored by second, and none of them may count in both. */
export function periodsOf({ from, to }: TimeWindow): Periods {
  const border = Math.floor(from / 1_000) * 1_000;
  return { after: { from: border, to }, before: { from: border - (to - border), to: border } };
}

/** A length that has data on both sides: a release of two minutes ago cannot be compared by the hour. */
export function usualLength(at: number, now: number): Length {
  return now - at < lengths["15m"] ? "5m" : now - at < lengths["1h"] ? "15m" : "1h";
}
