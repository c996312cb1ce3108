import { dayMs, hourMs, minuteMs } from "./units.ts";

/** A length of time as text, such as "30s", "1m", "2h" or "1d". */
export type Period = `${number}${"s" | "m" | "h" | "d"}`;

const units: Readonly<Record<string, number>> = { s: 1_000, m: minuteMs, h: hourMs, d: dayMs };

/** The milliseconds of a period. `undefined` for any other text. */
export function parsePeriod(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit]!;
}
