import type { ReadonlySignal } from "@preact/signals";
import { formatSpan } from "./numbers.ts";

/** Time formats in the selected time zone. In a component, they subscribe to the selection. */

let zone: Pick<ReadonlySignal<string>, "value"> = { value: Intl.DateTimeFormat().resolvedOptions().timeZone };

/** Sets the time zone of all times. Default: the browser's. */
export function formatTimesIn(zoneName: ReadonlySignal<string>): void {
  zone = zoneName;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options) + zone.value;
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone.value });
    formatters.set(key, found);
  }
  return found;
}

const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
const date = { day: "numeric", month: "short" } as const;

/** 14:03:27 */
export function formatClock(time: number): string {
  return formatter(clock).format(time);
}

/** 14:03 */
export function formatMinute(time: number): string {
  return formatter({ hour: "2-digit", minute: "2-digit" }).format(time);
}

/** 14:03:27.123 */
export function formatPrecise(time: number): string {
  return formatter({ ...clock, fractionalSecondDigits: 3 }).format(time);
}

/** 16 Nov */
export function formatDay(time: number): string {
  return formatter(date).format(time);
}

/** 16 Nov, 14:03 */
export function formatMoment(time: number): string {
  return formatter({ ...date, hour: "2-digit", minute: "2-digit" }).format(time);
}

/** 16 Nov, 14:03–15:03, or 16 Nov, 14:03 – 17 Nov, 14:03 */
export function formatPeriod(from: number, to: number): string {
  return formatDay(from) === formatDay(to) && to - from < 86_400_000
    ? `${formatMoment(from)}–${formatMinute(to)}`
    : `${formatMoment(from)} – ${formatMoment(to)}`;
}

/** Monday, 16 November 2026, 14:03:27 UTC */
export function formatFull(time: number): string {
  return formatter({ dateStyle: "full", timeStyle: "long" }).format(time);
}

/** The finest format that distinguishes the ends of the window. Whole minutes have no seconds. */
export function formatWithin(time: number, spanMs: number): string {
  if (spanMs <= 3_600_000)
    return Math.floor(time / 1_000) % 60 === 0 ? formatMinute(time) : formatClock(time);
  return spanMs <= 86_400_000 ? formatMinute(time) : formatMoment(time);
}

/** 12 s ago, in 5 min. */
export function formatRelative(time: number, now: number = Date.now()): string {
  const distance = now - time;
  if (Math.abs(distance) < 1_000) return "now";
  return distance > 0 ? `${formatSpan(distance)} ago` : `in ${formatSpan(-distance)}`;
}
