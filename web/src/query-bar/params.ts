import { type Params, urlOf } from "../data/routes.ts";
import { hasPathPattern } from "../format/routes.ts";
import type { FieldValue, RecordFilter } from "./parse.ts";

/** Converts the filter to the parameters of the log search. */
export function toSearchParams(filter: RecordFilter): Params {
  const { method, path } = requestOf(filter);
  const toText = ({ field, value }: FieldValue) => `${field}:${value}`;
  return {
    status: filter.status,
    method,
    path,
    min_duration: filter.minDurationMs,
    max_duration: filter.maxDurationMs,
    trace: filter.trace,
    event: filter.event,
    instance: filter.instance,
    levels: filter.levels?.join(),
    text: filter.text,
    where: filter.where.map(toText),
    not: filter.not.map(toText),
  };
}

/** Records do not have a route, so its pattern is used as the path. */
function requestOf({ method, path, route }: RecordFilter): { method?: string; path?: string } {
  if (route === undefined) return { ...(method && { method }), ...(path && { path }) };
  const [, routeMethod, pattern] = /^(?:([A-Z-]+) )?(.*)$/s.exec(route)!;
  const wanted = routeMethod ?? method;
  return { ...(wanted && { method: wanted }), ...(pattern && { path: pattern }) };
}

/** Stored records contain paths, not routes. */
export function isSearchable({ route }: RecordFilter): boolean {
  return route === undefined || hasPathPattern(route);
}

/** Whether the filter contains nothing but levels and an instance. The server counts these without reading records. */
export function isAboutLevelsOnly(filter: RecordFilter): boolean {
  const { levels, instance, ...others } = toSearchParams(filter);
  return urlOf("", others) === "";
}
