import { fileURLToPath } from "node:url";
import { nativePath } from "../../../../lib/paths/paths.ts";
import type { SourceLocation } from "../../../../lib/source/source-location.ts";
import { type Endpoint, isChecked, type ServingFunction } from "../../registry/endpoint.ts";
import { locateFunctions, readScripts } from "./inspect.ts";
import type { LoadedScripts, Route, RunningFunction } from "./route.ts";

/** The source of Annex itself, which is not analyzed. */
const ownFolder = nativePath(fileURLToPath(new URL("../../../../", import.meta.url)));

export const isOwnFile = (path: string): boolean => path.startsWith(ownFolder) && !path.includes(".test.");

/** The endpoints as data, with the locations of functions that only the running program knows. */
export function collectRoutes(endpoints: ReadonlyMap<string, Endpoint>): Route[] {
  const locate = createLocator([...endpoints.values()].flatMap((endpoint) => endpoint.middleware()));
  const running = new Map<ServingFunction, RunningFunction | undefined>();
  // One object per function, so that a message to another thread contains its text once.
  const describe = (func: ServingFunction) => {
    const at = locate(func);
    if (!running.has(func)) running.set(func, at && { at, text: textOf(func) });
    return running.get(func);
  };
  return [...endpoints].map(([key, endpoint]) => ({
    key,
    method: endpoint.method,
    path: endpoint.path,
    parameters: endpoint.parameters,
    registered: endpoint.source,
    handlerName: endpoint.handlerName,
    handlerText: textOf(endpoint.handler),
    isChecked: isChecked(endpoint.notes()),
    middleware: endpoint.middleware().flatMap((func) => describe(func) ?? []),
  }));
}

/** The same routes with the locations of their handlers. */
export function locateHandlers(routes: readonly Route[], endpoints: ReadonlyMap<string, Endpoint>): Route[] {
  const locate = createLocator(routes.map(({ key }) => endpoints.get(key)!.handler));
  return routes.map((route) => ({ ...route, handler: locate(endpoints.get(route.key)!.handler) }));
}

/** A function of the application and its location. */
export function describeFunction(func: ServingFunction): { at: SourceLocation | undefined; text: string } {
  return { at: createLocator([func])(func), text: textOf(func) };
}

/** The scripts that contain the locations of these routes and, if given, another location. */
export function collectScripts(routes: readonly Route[], other?: SourceLocation): LoadedScripts {
  const places = routes.flatMap(({ registered, handler, middleware }) => [
    registered,
    handler,
    ...middleware.map(({ at }) => at),
  ]);
  return readScripts(new Set([...places, other].flatMap((place) => place?.file ?? [])));
}

const textOf = (func: ServingFunction): string => Function.prototype.toString.call(func);

function createLocator(
  functions: readonly ServingFunction[],
): (func: ServingFunction) => SourceLocation | undefined {
  const distinct = [...new Set(functions)];
  const located = distinct.length === 0 ? [] : locateFunctions(distinct);
  const places = new Map(distinct.map((func, index) => [func, located[index]]));
  return (func) => {
    const place = places.get(func);
    return place && !isOwnFile(place.file) ? place : undefined;
  };
}
