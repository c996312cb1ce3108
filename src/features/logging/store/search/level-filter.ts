import { demandLevel, findLevel, type LogLevel, levelNames, levels } from "../../levels.ts";
import type { Filter } from "./filter.ts";
import type { FieldValue, LogQuery } from "./query.ts";

export const levelField = "level";

/** The levels allowed by all conditions of a query. */
export function allowedLevels({
  level,
  levels: exactly = levelNames,
  where = [],
  not = [],
}: LogQuery): LogLevel[] {
  const least = level === undefined ? Number.NEGATIVE_INFINITY : levels[demandLevel(level)];
  const named = exactly.map(demandLevel);
  const [wanted, unwanted] = [namedIn(where), namedIn(not)];
  return levelNames.filter(
    (name) =>
      levels[name] >= least &&
      named.includes(name) &&
      wanted.every((each) => each === name) &&
      !unwanted.includes(name),
  );
}

function namedIn(conditions: readonly FieldValue[]): string[] {
  return conditions
    .filter(({ field }) => field === levelField)
    .map(({ value }) => findLevel(value) ?? String(value).toLowerCase());
}

/** The minimum severity of a query. Blocks without such records are not opened. */
export function leastSeverity(query: LogQuery): number | undefined {
  const allowed = allowedLevels(query);
  return allowed.length === levelNames.length ? undefined : Math.min(...allowed.map((name) => levels[name]));
}

/** Undefined if all levels are allowed. */
export function createLevelFilter(query: LogQuery): Filter | undefined {
  const allowed = allowedLevels(query);
  if (allowed.length === levelNames.length) return undefined;
  const names = allowed.map((name) => name.toUpperCase());
  const needles = names.map((name) => `"level":"${name}"`);
  return {
    mayMatch: (lines) => needles.some((needle) => lines.includes(needle)),
    matches: ({ level }) => names.includes(level),
  };
}
