import { describeRegExp } from "./regexp-patterns.ts";

/** The patterns of a route's path, in the notation of Annex: `/users/{id}`. */
export function describePath(path: unknown): string[] {
  if (Array.isArray(path)) return path.flatMap(describePath);
  if (path instanceof RegExp) return describeRegExp(path, []);
  return [convertPath(String(path))];
}

const syntax = /\\(.)|:(?:"([^"]*)"|(\w+))(?:\((?:\\.|[^()]|\([^)]*\))*\))?[?*+]?|\*(\w*)|\(\.\*\)|[{}]/g;

/** Converts `:id`, `*rest`, `(.*)` and optional parts, as in Express 4 and 5 and in other routers. */
export function convertPath(path: string): string {
  const pattern = path.replace(
    syntax,
    (match, escaped?: string, quoted?: string, name?: string, wildcard?: string) => {
      if (escaped !== undefined) return escaped;
      if (wildcard !== undefined || match === "(.*)") return `{${wildcard || "rest"}...}`;
      const found = quoted ?? name;
      return found === undefined ? "" : `{${found}}`;
    },
  );
  // Routers accept `*` without a slash.
  return pattern.startsWith("{") ? `/${pattern}` : pattern;
}

/** Remembers the results of a conversion, so that it is not repeated with every request. */
export function remember(convert: (path: string) => string): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    let pattern = known.get(path);
    if (pattern === undefined) {
      pattern = convert(path);
      known.set(path, pattern);
    }
    return pattern;
  };
}

/** Joins each prefix with each pattern. */
export function joinPatterns(prefixes: readonly string[], patterns: readonly string[]): string[] {
  return prefixes.flatMap((prefix) =>
    patterns.map((pattern) => {
      const outer = prefix.replace(/\/+$/, "");
      return outer !== "" && pattern === "/" ? outer : outer + pattern;
    }),
  );
}

const tests = new Map<string, (path: string) => boolean>();

/** Returns a test for the paths of a pattern. It decides between the patterns of one route, so it can be approximate. */
export function createPatternTest(pattern: string): (path: string) => boolean {
  const known = tests.get(pattern);
  if (known !== undefined) return known;
  const source = pattern
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!part.startsWith("{")) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return part.endsWith("...}") ? ".+" : "[^/]+";
    })
    .join("");
  const regexp = new RegExp(`^${source}/?$`, "i");
  const test = (path: string) => regexp.test(path);
  tests.set(pattern, test);
  return test;
}
