import type { Stall, StallWork } from "../../../src/features/metrics/wire/stalls.ts";

/** As `GET /report` or `Job backup`. */
export function nameWork(work: StallWork): string {
  return work.kind === "run" ? `Job ${work.job_id}` : `${work.method} ${work.route ?? "(no route)"}`;
}

/** The request, job or code that blocked the event loop. */
export function nameCause({ cause, location, is_certain = true }: Stall): string {
  if (!cause) return location === undefined ? "Cause not known" : "Code outside of requests and jobs";
  return is_certain ? nameWork(cause) : `Probably ${nameWork(cause)}`;
}

/** As `buildReport (src/report.ts:12:3)`. Undefined if it is not known. */
export function nameFunction({ function: name, location }: Stall): string | undefined {
  return name !== undefined && location !== undefined ? `${name} (${location})` : (name ?? location);
}
