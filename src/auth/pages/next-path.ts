/** The page of whoever is signed in. */
export const home = "/_/";

/**
 * Where to go after signing in: a path of this server, or the fallback. What a browser could read as another host, such as
 * `//host` or `/\host`, and what has no place in a header is not a path.
 */
export function parseNext(text: string | undefined, fallback: string = home): string {
  return text !== undefined && /^\/(?!\/)[!-[\]-~]{0,2000}$/.test(text) ? text : fallback;
}
