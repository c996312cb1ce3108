import { type LogLevel, levelNames, levels } from "../levels.ts";
import { combineFilters, createFieldFilter, type Filter } from "./filter.ts";
import type { LogQuery } from "./query.ts";
import { createRequestFilters } from "./request-filters.ts";
import { createTextFilter } from "./text-filter.ts";

export type Matcher = Required<Filter>;

/** All that a query asks of a record but its time. Those that rule out the most, or cost the least, come first. */
export function createMatcher(query: LogQuery): Matcher {
  const { traceId, event, level, text } = query;
  const filters: Filter[] = [];
  if (traceId !== undefined) filters.push(createFieldFilter("trace_id", traceId));
  filters.push(...createRequestFilters(query));
  if (event !== undefined) filters.push(createFieldFilter("event", event));
  if (level !== undefined) filters.push(createLevelFilter(level));
  if (text !== undefined) filters.push(createTextFilter(text));
  return combineFilters(filters);
}

function createLevelFilter(least: LogLevel): Filter {
  const names = levelNames.filter((name) => levels[name] >= levels[least]).map((name) => name.toUpperCase());
  const needles = names.map((name) => `"level":"${name}"`);
  return {
    mayMatch: (lines) => needles.some((needle) => lines.includes(needle)),
    matches: ({ level }) => names.includes(level),
  };
}
