import type { RouteFigures } from "../../data/shapes.ts";
import type { ApiVersion } from "./shapes.ts";

/** Live metrics of operations, by route name. */
export type FiguresByRoute = ReadonlyMap<string, RouteFigures>;

export interface VersionFigures {
  readonly count: number;
  readonly failed: number;
}

/** The total metrics of a version's operations, which show whether clients still use it. */
export function sumOf({ operations }: ApiVersion, figures: FiguresByRoute): VersionFigures {
  const known = operations.flatMap(({ route }) => figures.get(route) ?? []);
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    failed: known.reduce((sum, { status_5xx }) => sum + status_5xx, 0),
  };
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
