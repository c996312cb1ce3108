import type { RequestSeries, SystemLine, SystemSeries } from "../../../src/features/metrics/wire.ts";

/** Puts the newest points of a series behind the older ones. Undefined if they do not fit together. */

interface Steps {
  readonly from: number;
  readonly step_ms: number;
  readonly first_point: number;
}

export function mergeRequests(old: RequestSeries, fresh: RequestSeries): RequestSeries | undefined {
  const offset = offsetOf(old, fresh);
  if (offset === undefined || offset + fresh.first_point > old.points.length) return undefined;
  const points = [...old.points.slice(offset, offset + fresh.first_point), ...fresh.points];
  return { ...fresh, first_point: 0, points };
}

export function mergeSystem(old: SystemSeries, fresh: SystemSeries): SystemSeries | undefined {
  const offset = offsetOf(old, fresh);
  if (offset === undefined) return undefined;
  const instances = Object.entries(fresh.instances).map(([instance, lines]) => [
    instance,
    Object.fromEntries(
      Object.entries(lines).map(([name, line]) => [
        name,
        mergeLine(old.instances[instance]?.[name], line, offset, fresh.first_point),
      ]),
    ),
  ]);
  return { ...fresh, first_point: 0, instances: Object.fromEntries(instances) };
}

/** A metric that was not there before has no values for the older points. */
function mergeLine(
  old: SystemLine | undefined,
  fresh: SystemLine,
  offset: number,
  first: number,
): SystemLine {
  const join = (part: "mean" | "max") => {
    const before = Array.from({ length: first }, (_, index) => old?.[part][offset + index] ?? null);
    return [...before, ...fresh[part]];
  };
  return { mean: join("mean"), max: join("max") };
}

/** By how many points the window has moved. */
function offsetOf(old: Steps, fresh: Steps): number | undefined {
  const offset = (fresh.from - old.from) / old.step_ms;
  return old.step_ms === fresh.step_ms && offset >= 0 && Number.isInteger(offset) ? offset : undefined;
}
