import { formatSpan } from "../format/numbers.ts";
import { formatFull } from "../format/times.ts";
import { now } from "../state/clock.ts";

/** "in 34 s", counting down, with the full time as tooltip. */
export function Countdown({ time }: { time: number }) {
  const left = time - now.value;
  return (
    <time class="countdown" dateTime={new Date(time).toISOString()} title={formatFull(time)}>
      {left < 1_000 ? "due now" : `in ${formatSpan(left)}`}
    </time>
  );
}

/** The time elapsed since `since`, updated every second. */
export function Elapsed({ since }: { since: number }) {
  return <>{formatSpan(now.value - since)}</>;
}
