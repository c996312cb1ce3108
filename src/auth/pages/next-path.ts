/** The account page. */
export const home = "/_/";

/**
 * The path to open after the sign-in: a path of this server, or the fallback. Rejects text that a browser could read as
 * another host, such as `//host` or `/\host`, and text that is invalid in a header.
 */
export function parseNext(text: string | undefined, fallback: string = home): string {
  return text !== undefined && /^\/(?!\/)[!-[\]-~]{0,2000}$/.test(text) ? text : fallback;
}
