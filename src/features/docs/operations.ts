import type { OpenAPIDocument, Operation } from "./model/openapi.ts";
import { documentedPattern, wholePath } from "./openapi/places.ts";
import type { Endpoint } from "./registry/endpoint.ts";
import type { Version } from "./versions/version.ts";

/** A route of a version, with its operation in the version's document. */
export interface RoutedOperation {
  readonly endpoint: Endpoint;
  /** Its place in the document. Missing if the document is older than the route. */
  readonly documented?: { readonly path: string; readonly operation: Operation };
}

/** The routes of a version in the order of its document, followed by the routes that the document lacks. */
export function listOperations({ prefix, registry }: Version, document: OpenAPIDocument): RoutedOperation[] {
  const unseen = new Map(
    registry.list().map((endpoint) => [keyOf(endpoint.method, endpoint.path), endpoint]),
  );
  const found: RoutedOperation[] = [];
  for (const [path, { servers: _, ...item }] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const key = keyOf(method.toUpperCase(), wholePath(document, prefix, path));
      const endpoint = unseen.get(key);
      if (endpoint) found.push({ endpoint, documented: { path, operation } });
      unseen.delete(key);
    }
  }
  return [...found, ...[...unseen.values()].map((endpoint) => ({ endpoint }))];
}

/** The name of an endpoint in the request metrics. */
export function routeOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function keyOf(method: string, path: string): string {
  return `${method} ${documentedPattern(path)}`;
}
