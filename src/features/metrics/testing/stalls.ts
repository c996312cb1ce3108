import type { Stall } from "../wire/stalls.ts";

/** A stall that a request caused. */
export function stallAt(started_at: number, changes: Partial<Stall> = {}): Stall {
  const trace_id = started_at.toString(36).padStart(18, "a");
  return {
    started_at,
    duration_ms: 300,
    instance: "web-1",
    cause: { kind: "request", trace_id, method: "GET", path: "/report", route: "/report", started_at },
    is_certain: true,
    function: "buildReport",
    location: "src/report.ts:12:3",
    stack: ["buildReport (src/report.ts:12:3)"],
    in_flight: [],
    in_flight_count: 0,
    ...changes,
  };
}
