import { RouteError } from "./route-error.ts";

/** The names in a route pattern, as a type: `PathParams<"/users/{id}/files/{rest...}">` is `"id" | "rest"`. */
export type PathParams<Pattern extends string> = string extends Pattern
  ? string
  : Pattern extends `${string}{${infer Name}}${infer Rest}`
    ? (Name extends `${infer Base}...` ? Base : Name) | PathParams<Rest>
    : never;

/** The decoded values of a request path by name. The value of `{rest...}` has the name `*`. */
export type PathValues = Readonly<Record<string, string | undefined>>;

/** A parsed route pattern. */
export interface RoutePattern {
  /** The pattern as written, including the prefix: `/users/{id}`. */
  readonly text: string;
  /** The names of the path values, in order. */
  readonly names: readonly string[];
  /** The name of the `{rest...}` value at the end. */
  readonly rest: string | undefined;
  /** The same path for find-my-way: `/users/:id`. */
  readonly url: string;
  /** Equal for patterns that match the same requests. Independent of the names. */
  readonly shape: string;
}

const placeholder = /^\{([A-Za-z_][A-Za-z0-9_]*)(\.\.\.)?\}$/;

/** Parses `/users/{id}/files/{rest...}`. A placeholder is a whole segment, and `{rest...}` must be the last one. */
export function parsePattern(text: string): RoutePattern {
  if (!text.startsWith("/")) throw new RouteError(`The route path "${text}" must start with "/".`);
  const names: string[] = [];
  let rest: string | undefined;
  const segments = text.slice(1).split("/");
  const url = segments.map((segment, index) => {
    const match = placeholder.exec(segment);
    if (!match) return staticSegment(text, segment);
    const name = match[1]!;
    if (names.includes(name)) throw new RouteError(`The route path "${text}" contains {${name}} twice.`);
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
  const [, name] = /^:([A-Za-z_][A-Za-z0-9_]*)/.exec(segment) ?? [];
  if (name) {
    throw new RouteError(
      `Invalid segment "${segment}" in the route path "${text}": write {${name}} for a path value.`,
    );
  }
  // The router matches the decoded path without dot segments, so escapes and dot segments would never match.
  if (/[{}*?#%\\\s]/.test(segment) || segment === "." || segment === "..") {
    throw new RouteError(
      `Invalid segment "${segment}" in the route path "${text}": use plain text, {name} or {rest...}.`,
    );
  }
  return segment.replaceAll(":", "::");
}

/** Joins a prefix and a path, with or without slashes. */
export function joinPaths(prefix: string, path: string): string {
  if (typeof path !== "string") {
    throw new RouteError(`A route path must be a string such as /users/{id}, got ${String(path)}.`);
  }
  const outer = prefix.replace(/\/+$/, "");
  const inner = path.replace(/^\/+/, "");
  // With a prefix, "" and "/" are the prefix itself. Without one, they are the root.
  return inner === "" ? outer || "/" : `${outer}/${inner}`;
}

/**
 * Whether a request target is not a path (`*`), or contains dot segments, null bytes or a fragment, which some parsers
 * remove and others do not. One search decides the common case.
 */
export function isHostilePath(url: string): boolean {
  if (url.charCodeAt(0) !== 47) return true;
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
