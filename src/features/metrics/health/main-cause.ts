import type { Stall } from "../wire/stalls.ts";
import { duration } from "./words.ts";

/** A cause is named if it caused more than this share of the time. */
const mainShare = 0.5;

/** Names the route, job or function that blocked the event loop for most of the time, as a sentence after a message. */
export function nameMainCause(stalls: readonly Stall[]): string {
  const total = sumOf(stalls);
  const byCause = Map.groupBy(stalls, nameCause);
  for (const [cause, caused] of byCause) {
    const share = sumOf(caused);
    if (cause !== undefined && share > total * mainShare)
      return ` ${cause} blocked it for ${duration(share)} in ${caused.length === 1 ? "one stall" : `${caused.length} stalls`}.`;
  }
  return "";
}

function sumOf(stalls: readonly Stall[]): number {
  return stalls.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
}

/** As `GET /report`, `Job "backup"` or `poll (src/poll.ts:12:3)`. */
export function nameCause({ cause, function: name, location }: Stall): string | undefined {
  if (cause?.kind === "run") return `Job "${cause.job_id}"`;
  if (cause) return `${cause.method} ${cause.route ?? "(no route)"}`;
  return name !== undefined && location !== undefined ? `${name} (${location})` : location;
}
