import type { RecordFilter } from "./parse.ts";

/** Converts the filter to the parameters of the log search. */
export function toSearchParams(filter: RecordFilter): URLSearchParams {
  const { levels, where, not } = filter;
  const { method, path } = requestOf(filter);
  const query = new URLSearchParams();
  const plain = {
    status: filter.status,
    method,
    path,
    min_duration: filter.minDurationMs,
    max_duration: filter.maxDurationMs,
    trace: filter.trace,
    event: filter.event,
    levels: levels?.join(),
    text: filter.text,
  };
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) query.set(name, String(value));
  for (const { field, value } of where) query.append("where", `${field}:${value}`);
  for (const { field, value } of not) query.append("not", `${field}:${value}`);
  return query;
}

/** Records do not have a route, so its pattern is used as the path. */
function requestOf({ method, path, route }: RecordFilter): { method?: string; path?: string } {
  if (route === undefined) return { ...(method && { method }), ...(path && { path }) };
  const [, routeMethod, pattern] = /^(?:([A-Z-]+) )?(.*)$/s.exec(route)!;
  const wanted = routeMethod ?? method;
  return { ...(wanted && { method: wanted }), ...(pattern && { path: pattern }) };
}

/** Stored records do not contain whether a route matched. */
export function isSearchable({ route }: RecordFilter): boolean {
  return route !== "(no route)";
}

/** Whether the filter contains nothing but levels. The server counts these without reading records. */
export function isAboutLevelsOnly(filter: RecordFilter): boolean {
  const query = toSearchParams(filter);
  query.delete("levels");
  return query.size === 0;
}
