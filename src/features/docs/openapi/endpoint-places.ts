import type { Server } from "../model/openapi.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import { documentedPattern } from "./places.ts";

export interface Place {
  readonly path: string;
  readonly servers?: readonly Server[];
}

/**
 * The path of each endpoint in the document: below the servers' prefix, or the whole path from the servers' root. An
 * endpoint whose relative path is taken gets its whole path, too.
 */
export function createPlaces(
  endpoints: readonly EndpointData[],
  prefix: string | undefined,
  roots: readonly Server[] | undefined,
): (endpoint: EndpointData) => Place {
  const shown = ({ path }: EndpointData) => documentedPattern(path);
  const shapeOf = (path: string) => path.replace(/\{[^}]*\}/g, "{}");
  if (!roots) return (endpoint) => ({ path: shown(endpoint) });
  const outside = endpoints.map(shown).filter((path) => relativePath(path, prefix) === undefined);
  const taken = new Set(outside.map(shapeOf));
  return (endpoint) => {
    const path = shown(endpoint);
    const below = relativePath(path, prefix);
    return below !== undefined && !taken.has(shapeOf(below)) ? { path: below } : { path, servers: roots };
  };
}

/** The rest of a path below a prefix. The prefix itself has none. */
export function relativePath(path: string, prefix: string | undefined): string | undefined {
  return prefix !== undefined && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

const methodOrder = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export function sortEndpoints(endpoints: readonly EndpointData[]): EndpointData[] {
  return endpoints.toSorted((one, other) =>
    one.path === other.path
      ? methodOrder.indexOf(one.method) - methodOrder.indexOf(other.method)
      : one.path < other.path
        ? -1
        : 1,
  );
}

/** The first segment that is not a parameter. */
export function tagOf(path: string): string {
  return path.split("/").find((segment) => segment !== "" && !segment.startsWith("{")) ?? "default";
}
