import { combineFilters, createFieldFilter, type Filter } from "./filter.ts";
import { wantedInstances } from "./instance-filter.ts";
import { allowedLevels, createLevelFilter } from "./level-filter.ts";
import { isAboutRequests, type LogQuery } from "./query.ts";
import { createRequestFilters, requestEvent } from "./request-filters.ts";
import { createTextFilter } from "./text-filter.ts";
import { createValueFilters } from "./value-filters.ts";

export type Matcher = Required<Filter>;

/** Combines all conditions of a query except its time. The most selective or cheapest filters come first. */
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

/** Whether no record can match. Only requests have a status and similar fields. */
export function isContradiction(query: LogQuery): boolean {
  const { event = requestEvent } = query;
  const instances = wantedInstances(query);
  // PostgreSQL rejects texts with a null character.
  const isNoInstance = instances.length > 1 || instances.some((name) => name.includes("\0"));
  return (
    isNoInstance || (event !== requestEvent && isAboutRequests(query)) || allowedLevels(query).length === 0
  );
}

/** Whether the query only filters by level, instance and time, which the headers of blocks contain. */
export function isAboutLevelsOnly(query: LogQuery): boolean {
  const { traceId, event, text } = query;
  const others = [traceId, event, text].some((value) => value !== undefined);
  return !others && !isAboutRequests(query) && createValueFilters(query).length === 0;
}
