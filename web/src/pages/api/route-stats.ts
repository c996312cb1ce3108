import type { ApiVersion } from "../../../../src/features/docs/wire.ts";
import type { RouteStats } from "../../../../src/features/metrics/wire.ts";

/** Live metrics of operations, by route name. */
export type StatsByRoute = ReadonlyMap<string, RouteStats>;

export interface VersionStats {
  readonly count: number;
  readonly failed: number;
}

/** The total metrics of a version's operations, which show whether clients still use it. */
export function sumOf({ operations }: ApiVersion, stats: StatsByRoute): VersionStats {
  const known = operations.flatMap(({ route }) => stats.get(route) ?? []);
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    failed: known.reduce((sum, { status_5xx }) => sum + status_5xx, 0),
  };
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
