import { formatDay, formatMinute } from "../../../format/times.ts";
import { zone } from "../../../state/zone.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  7 * day,
];
const mostTicks = 9;

export interface AxisTick {
  readonly time: number;
  readonly label: string;
  readonly isMidnight: boolean;
}

/** A few round times in the displayed time zone. */
export function axisTicks(from: number, to: number): AxisTick[] {
  const step = steps.find((each) => (to - from) / each <= mostTicks) ?? 7 * day;
  const offset = zone.value === "utc" ? 0 : -new Date(from).getTimezoneOffset() * minute;
  const first = Math.ceil((from + offset) / step) * step - offset;
  const ticks: AxisTick[] = [];
  for (let time = first; time <= to; time += step) {
    const isMidnight = (time + offset) % day === 0;
    ticks.push({ time, isMidnight, label: isMidnight ? formatDay(time) : formatMinute(time) });
  }
  return ticks;
}
