import type { Incident } from "./incident.ts";

/** One JSON object per line, each with its kind. The first one describes the file. */
export function toNdjson(incident: Incident): string {
  const {
    from,
    to,
    address,
    savedAt,
    health,
    requests,
    routes,
    errors,
    slowest,
    stalls,
    records,
    runs,
    changes,
  } = incident;
  const { points, ...series } = requests;
  const lines: object[] = [
    { kind: "incident", from, to, address, saved_at: savedAt },
    { kind: "health", ...health },
    { kind: "requests", ...series },
    ...points.map((point, index) => ({
      kind: "point",
      time: series.from + index * series.step_ms,
      ...point,
    })),
    ...routes.routes.map((route) => ({ kind: "route", ...route })),
    ...errors.map((error) => ({ kind: "error", ...error })),
    ...slowest.map((request) => ({ kind: "slow-request", ...request })),
    ...stalls.map((stall) => ({ kind: "stall", ...stall })),
    ...records.map((record) => ({ kind: "record", record })),
    ...runs.map((run) => ({ kind: "run", ...run })),
    ...changes.map((change) => ({ kind: "change", change })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
