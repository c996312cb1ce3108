import type { FieldProblem } from "./errors.ts";
import { refuseInvalid } from "./fields.ts";

/** A time window in milliseconds since the epoch. The end is exclusive. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const problem = (name: string): FieldProblem => ({
  code: "invalid",
  message: `The value of ${name} must be a time such as 2026-11-15T14:00:00Z, or milliseconds since the epoch.`,
});

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

/** Reads `from` and `to`. By default, the window has the given length and ends now. */
export function readWindow(
  query: (name: string) => string | undefined,
  now: number,
  defaultMs: number,
): TimeWindow {
  const read = (name: string) => {
    const text = query(name) || undefined;
    return { text, time: text === undefined ? undefined : parseTime(text) };
  };
  const [from, to] = [read("from"), read("to")];
  const isBad = ({ text, time }: typeof from) => text !== undefined && time === undefined;
  refuseInvalid({
    from: isBad(from) ? problem("from") : undefined,
    to: isBad(to) ? problem("to") : undefined,
  });
  const end = to.time ?? now;
  const window = { from: from.time ?? end - defaultMs, to: end };
  const order = { code: "invalid", message: "The value of to must be later than the value of from." };
  refuseInvalid({ to: window.to > window.from ? undefined : order });
  return window;
}
