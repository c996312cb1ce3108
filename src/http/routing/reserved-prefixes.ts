import type { Route } from "../route/route.ts";

/** A prefix that is reserved, with all paths below it, for the routes of one owner. */
export interface ReservedPrefix {
  readonly prefix: string;
  readonly owner: string;
}

/** The reserved prefix that contains the path. */
export function findHolder(reserved: readonly ReservedPrefix[], path: string): ReservedPrefix | undefined {
  return reserved.find(({ prefix }) => isBelow(path, prefix));
}

export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
}

/** Returns a test for paths below a router's prefix, which may contain placeholders. */
export function createPrefixTest(prefix: string): (path: string) => boolean {
  if (!prefix.includes("{")) return (path) => isBelow(path, prefix);
  const segments = prefix
    .split("/")
    .map((segment) => (segment.startsWith("{") ? "[^/]+" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  const pattern = new RegExp(`^${segments.join("/")}(?:/|$)`);
  return (path) => pattern.test(path);
}

/**
 * Whether a route, such as `/{rest...}`, could match paths that another owner has reserved. Only then does a request
 * have to be checked. The fixed text before the first placeholder decides.
 */
export function mayOverlap(reserved: readonly ReservedPrefix[], { pattern, owner }: Route): boolean {
  const placeholder = pattern.text.indexOf("{");
  if (placeholder === -1) return false;
  const fixed = pattern.text.slice(0, placeholder);
  return reserved.some((other) => other.owner !== owner && other.prefix.startsWith(fixed));
}
