import { RouteError } from "./route-error.ts";

/** The names in a route pattern, as a type: `PathParams<"/users/{id}/files/{rest...}">` is `"id" | "rest"`. */
export type PathParams<Pattern extends string> = string extends Pattern
  ? string
  : Pattern extends `${string}{${infer Name}}${infer Rest}`
    ? (Name extends `${infer Base}...` ? Base : Name) | PathParams<Rest>
    : never;

/** A route pattern that has been checked. */
export interface RoutePattern {
  /** As it was written, prefix included: `/users/{id}`. */
  readonly text: string;
  /** The names of its path values, in order. */
  readonly names: readonly string[];
  /** The name of the `{rest...}` value at its end. */
  readonly rest: string | undefined;
  /** The same path for find-my-way: `/users/:id`. */
  readonly url: string;
  /** What two patterns share when they match the same requests: the names do not matter. */
  readonly shape: string;
}

const placeholder = /^\{([A-Za-z_][A-Za-z0-9_]*)(\.\.\.)?\}$/;

/** Reads `/users/{id}/files/{rest...}`; a placeholder is a whole segment, and a rest can only be the last one. */
export function parsePattern(text: string): RoutePattern {
  if (!text.startsWith("/")) throw new RouteError(`The route path "${text}" must start with "/".`);
  const names: string[] = [];
  let rest: string | undefined;
  const segments = text.slice(1).split("/");
  const url = segments.map((segment, index) => {
    const match = placeholder.exec(segment);
    if (!match) return staticSegment(text, segment);
    const name = match[1]!;
    if (names.includes(name)) throw new RouteError(`The route path "${text}" names {${name}} twice.`);
    names.push(name);
    if (!match[2]) return `:${name}`;
    if (index < segments.length - 1) {
      throw new RouteError(`In the route path "${text}", {${name}...} must be the last segment.`);
    }
    rest = name;
    return "*";
  });
  const path = `/${url.join("/")}`;
  return { text, names, rest, url: path, shape: path.replace(/\/:[A-Za-z_][A-Za-z0-9_]*/g, "/:") };
}

function staticSegment(text: string, segment: string): string {
  // A router matches the decoded path, without dot segments: an escape or a dot segment would never match.
  if (/[{}*?#%\\\s]/.test(segment) || segment === "." || segment === "..") {
    throw new RouteError(
      `The route path "${text}" has the segment "${segment}": a segment is plain text, {name} or {rest...}.`,
    );
  }
  return segment.replaceAll(":", "::");
}

/** Joins a prefix and a path, each of which may bring a slash or not. */
export function joinPaths(prefix: string, path: string): string {
  if (typeof path !== "string") {
    throw new RouteError(`A route path is text such as /users/{id}, not ${String(path)}.`);
  }
  const outer = prefix.replace(/\/+$/, "");
  const inner = path.replace(/^\/+/, "");
  // Below a prefix, nothing and "/" mean the prefix itself; without one they are the root.
  return inner === "" ? outer || "/" : `${outer}/${inner}`;
}

/**
 * Whether a request's target is not a path (`*`), or its path tries to step out of a folder, smuggle a null byte or
 * carry a fragment, which is cut off by some readers and not by others. The common case, a path without any of it, is
 * decided by one search.
 */
export function isHostilePath(url: string): boolean {
  if (url.charCodeAt(0) === 42) return true;
  if (!/[%#\\]|\/\./.test(url)) return false;
  const end = url.indexOf("?");
  const sent = end === -1 ? url : url.slice(0, end);
  if (sent.includes("#")) return true;
  try {
    const path = decodeURIComponent(sent);
    return path.includes("\0") || /(?:^|[/\\])\.\.?(?:[/\\]|$)/.test(path);
  } catch {
    return true;
  }
}
