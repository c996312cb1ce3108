import type { RecordFilter } from "./parse.ts";

/** The filter as the search over the log takes it. */
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

/** A record has no route, but a path that its pattern fits. */
function requestOf({ method, path, route }: RecordFilter): { method?: string; path?: string } {
  if (route === undefined) return { ...(method && { method }), ...(path && { path }) };
  const [, routeMethod, pattern] = /^(?:([A-Z-]+) )?(.*)$/s.exec(route)!;
  const wanted = routeMethod ?? method;
  return { ...(wanted && { method: wanted }), ...(pattern && { path: pattern }) };
}

/** Stored records do not tell whether a route matched. */
export function isSearchable({ route }: RecordFilter): boolean {
  return route !== "(no route)";
}

/** Whether nothing is asked for but the level: that the server can count without looking at the records. */
export function isAboutLevelsOnly(filter: RecordFilter): boolean {
  const query = toSearchParams(filter);
  query.delete("levels");
  return query.size === 0;
}
