import type { FeatureLogger } from "../../../feature/index.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { Stall } from "../wire/stalls.ts";

/** Shorter stalls are recorded, but not logged. */
const longMs = 500;
/** Time between two records. */
const quietMs = 10_000;

/** Logs long stalls, at most one every ten seconds. */
export function createStallLog(
  logger: Pick<FeatureLogger, "write">,
  clock: AlarmClock,
): (stall: Stall) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  let skipped = 0;
  return (stall) => {
    if (stall.duration_ms < longMs) return;
    if (clock.elapsed() < quietUntil) {
      skipped++;
      return;
    }
    quietUntil = clock.elapsed() + quietMs;
    logger.write("warn", "Event loop blocked", toFields(stall, skipped), stall.cause?.trace_id);
    skipped = 0;
  };
}

function toFields({ duration_ms, cause, function: name, location, in_flight_count }: Stall, skipped: number) {
  return {
    event: "event_loop_stall",
    duration_ms,
    ...(cause?.kind === "request" && { method: cause.method, route: cause.route ?? "(no route)" }),
    ...(cause?.kind === "run" && { job_id: cause.job_id, run_id: cause.run_id }),
    ...(name !== undefined && { function: name }),
    ...(location !== undefined && { location }),
    in_flight: in_flight_count,
    // Long stalls that were not logged since the last record.
    ...(skipped > 0 && { skipped }),
  };
}
