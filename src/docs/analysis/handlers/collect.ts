import { fileURLToPath } from "node:url";
import { originalLocation, type SourceLocation } from "../../../lib/source-location.ts";
import type { Endpoint, ServingFunction } from "../../registry/endpoint.ts";
import { locateFunctions } from "./inspect.ts";
import type { Route } from "./route.ts";

/** Our own source, in which nothing is looked for. */
const ownFolder = fileURLToPath(new URL("../../../", import.meta.url));

export const isOwnFile = (path: string): boolean => path.startsWith(ownFolder) && !path.includes(".test.");

/** The endpoints as data, with the places of the functions that only the running program can tell. */
export function collectRoutes(endpoints: ReadonlyMap<string, Endpoint>): Route[] {
  const locate = createLocator([...endpoints.values()].flatMap((endpoint) => endpoint.middleware()));
  return [...endpoints].map(([key, endpoint]) => ({
    key,
    method: endpoint.method,
    path: endpoint.path,
    parameters: endpoint.parameters,
    registered: endpoint.source && originalLocation(endpoint.source),
    handlerName: endpoint.handlerName,
    middleware: endpoint.middleware().flatMap((func) => locate(func) ?? []),
  }));
}

/** The same routes with the places of their handlers. */
export function locateHandlers(routes: readonly Route[], endpoints: ReadonlyMap<string, Endpoint>): Route[] {
  const locate = createLocator(routes.map(({ key }) => endpoints.get(key)!.handler));
  return routes.map((route) => ({ ...route, handler: locate(endpoints.get(route.key)!.handler) }));
}

function createLocator(
  functions: readonly ServingFunction[],
): (func: ServingFunction) => SourceLocation | undefined {
  const distinct = [...new Set(functions)];
  const located = distinct.length === 0 ? [] : locateFunctions(distinct);
  const places = new Map(distinct.map((func, index) => [func, located[index]]));
  return (func) => {
    const place = places.get(func);
    return place && !isOwnFile(place.file) ? originalLocation(place) : undefined;
  };
}
