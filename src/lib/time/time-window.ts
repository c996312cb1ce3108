/** A time window in milliseconds since the epoch. The end is exclusive. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** A time requires a zone, because the local zone depends on the server. A date without a time is in UTC. */
const isoTime = /^(\d{4}-\d\d-)(\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i;

/** Parses a time: ISO 8601, or milliseconds since the epoch. `undefined` for any other text. */
export function parseTime(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  // An unescaped plus arrives as a space.
  const iso = text.replace(" ", "+");
  const [, month, day] = isoTime.exec(iso) ?? [];
  if (month === undefined) return undefined;
  const time = Date.parse(iso.toUpperCase());
  const isInMonth = new Date(`${month}${day}`).getUTCDate() === Number(day);
  return Number.isNaN(time) || !isInMonth ? undefined : time;
}
