import type { OpenAPIDocument } from "../model/openapi.ts";

/** Whether the paths of a document are relative to its servers' URLs, which then end with the version's prefix. */
export function isRelative({ servers }: Pick<OpenAPIDocument, "servers">, prefix: string): boolean {
  // A file edited manually may have no servers.
  return (
    (servers as OpenAPIDocument["servers"] | undefined)?.[0]?.url.replace(/\/+$/, "").endsWith(prefix) ?? true
  );
}

/** The whole path, from the server's root, for a path in a document. */
export function wholePath(document: OpenAPIDocument, prefix: string, path: string): string {
  return document.paths[path]?.servers || !isRelative(document, prefix) ? path : prefix + path;
}

/** The path below the version's prefix. It identifies the same operation in other versions. */
export function pathInVersion(document: OpenAPIDocument, prefix: string, path: string): string {
  const isBelow = !isRelative(document, prefix) && path.startsWith(`${prefix}/`);
  const below = isBelow ? path.slice(prefix.length) : path;
  // Another operation may have that path, at the root.
  return below !== path && Object.hasOwn(document.paths, below) ? path : below;
}

/** A pattern as written in documents: `{rest...}` becomes `{rest}`. */
export function documentedPattern(path: string): string {
  return path.replace(/\{([^}]*)\.\.\.\}/g, "{$1}");
}
