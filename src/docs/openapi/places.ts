import type { OpenAPIDocument } from "./types.ts";

/** Whether the paths of a document continue its servers' addresses, which end with the version's prefix. */
export function isRelative({ servers }: Pick<OpenAPIDocument, "servers">, prefix: string): boolean {
  // A file that somebody made may have no servers.
  return (
    (servers as OpenAPIDocument["servers"] | undefined)?.[0]?.url.replace(/\/+$/, "").endsWith(prefix) ?? true
  );
}

/** The path from the root of the server that a path of a document stands for. */
export function wholePath(document: OpenAPIDocument, prefix: string, path: string): string {
  return document.paths[path]?.servers || !isRelative(document, prefix) ? path : prefix + path;
}

/** The path below the version's prefix, by which an operation is the same in another version. */
export function pathInVersion(document: OpenAPIDocument, prefix: string, path: string): string {
  const isBelow = !isRelative(document, prefix) && path.startsWith(`${prefix}/`);
  const below = isBelow ? path.slice(prefix.length) : path;
  // Something else may be there, at the root.
  return below !== path && Object.hasOwn(document.paths, below) ? path : below;
}

/** A pattern as documents write it: `{rest...}` is `{rest}`. */
export function documentedPattern(path: string): string {
  return path.replace(/\{([^}]*)\.\.\.\}/g, "{$1}");
}
