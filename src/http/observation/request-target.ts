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
