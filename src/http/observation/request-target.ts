/** The path of a request target, without the query. */
export function pathOf(target: string): string {
  const origin = originForm(target);
  const query = origin.indexOf("?");
  return query === -1 ? origin : origin.slice(0, query);
}

/** The request target without the origin that requests to a proxy contain. */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === 47) return target;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** The query of a request target, or `undefined` if it has none. */
export function searchOf(target: string): URLSearchParams | undefined {
  const start = target.indexOf("?");
  return start === -1 ? undefined : new URLSearchParams(target.slice(start));
}

interface Addressed {
  readonly isSecure: boolean;
  readonly host: string;
  readonly target: string;
}

/** The full URL of a request. */
export function urlOf(request: Addressed): URL {
  const scheme = request.isSecure ? "https" : "http";
  const { host } = request;
  const origin = `${scheme}://${host}`;
  // A Host header that contains a path or a query must not change the URL.
  const isHost = /^[^\s/\\?#@]+$/.test(host) && URL.canParse(origin);
  const target = originForm(request.target);
  // Concatenated, because `new URL("//x", origin)` would resolve to another host.
  return new URL((isHost ? origin : `${scheme}://localhost`) + (target[0] === "/" ? target : "/"));
}
