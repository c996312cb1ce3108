import { combineFilters, createFieldFilter, type Filter } from "./filter.ts";
import { allowedLevels, createLevelFilter } from "./level-filter.ts";
import { isAboutRequests, type LogQuery } from "./query.ts";
import { createRequestFilters, requestEvent } from "./request-filters.ts";
import { createTextFilter } from "./text-filter.ts";
import { createValueFilters } from "./value-filters.ts";

export type Matcher = Required<Filter>;

/** All that a query asks of a record but its time. Those that rule out the most, or cost the least, come first. */
export function createMatcher(query: LogQuery): Matcher {
  const { traceId, event, text } = query;
  const filters: Filter[] = [];
  if (traceId !== undefined) filters.push(createFieldFilter("trace_id", traceId));
  filters.push(...createRequestFilters(query));
  if (event !== undefined) filters.push(createFieldFilter("event", event));
  const level = createLevelFilter(query);
  if (level !== undefined) filters.push(level);
  filters.push(...createValueFilters(query));
  if (text !== undefined) filters.push(createTextFilter(text));
  return combineFilters(filters);
}

/** Whether it asks for what no record can have. Only requests have a status and the like. */
export function isContradiction(query: LogQuery): boolean {
  const { event = requestEvent } = query;
  return (event !== requestEvent && isAboutRequests(query)) || allowedLevels(query).length === 0;
}

/** Whether nothing is asked of a record but its level and its time. */
export function isAboutLevelsOnly(query: LogQuery): boolean {
  const { traceId, event, text } = query;
  const others = [traceId, event, text].some((value) => value !== undefined);
  return !others && !isAboutRequests(query) && createValueFilters(query).length === 0;
}
