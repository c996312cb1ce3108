import type { RequestEvent } from "../../http/index.ts";

/** The account page, without the base path. */
export const home = "/_/";

/** The path of the account page. */
export function homeOf({ basePath }: Pick<RequestEvent, "basePath">): string {
  return basePath + home;
}

/**
 * The path to open after the sign-in: a path of this server, or the fallback. Rejects text that a browser could read as
 * another host, such as `//host` or `/\host`, and text that is invalid in a header.
 */
export function parseNext(text: string | undefined, fallback: string): string {
  return text !== undefined && /^\/(?!\/)[!-[\]-~]{0,2000}$/.test(text) ? text : fallback;
}
