import {
  checked,
  type RegisteredRoute,
  type RootRouter,
  type Router,
  type RouteTable,
} from "../../../http/index.ts";
import type { Endpoint } from "../registry/endpoint.ts";
import type { APIRegistry } from "../registry/registry.ts";
import { announceDeprecation } from "./deprecation.ts";
import type { Version } from "./version.ts";

/** A router that registers routes with the server and with the documentation of one version. */
export type VersionedRouter = Router;

/** The application's router, which also adds each route to the version's registry. */
export function createVersionedRouter(router: Router, current: () => Version): VersionedRouter {
  const { registry } = current();
  const observed = (router as RootRouter).observed((route) => documentRoute(registry, route));
  observed.bind(announceDeprecation(current));
  if (current().config.checked) observed.bind(checked());
  return observed;
}

/** A router for the documentation only. It serves no requests. */
export function createDocsRouter(table: RouteTable, { registry, config }: Version): VersionedRouter {
  const router = table.router("the application").observed((route) => documentRoute(registry, route));
  if (config.checked) router.bind(checked());
  return router;
}

/** Adds a route to a registry, unless it serves files. */
export function documentRoute(registry: APIRegistry, route: RegisteredRoute): void {
  if (!route.servesFiles) registry.add(toEndpoint(route));
}

function toEndpoint(route: RegisteredRoute): Endpoint {
  const { method, pattern, source, handlerName, handler } = route;
  return {
    method,
    path: pattern.text,
    parameters: pattern.names,
    rest: pattern.rest,
    handlerName,
    handler,
    middleware: () => route.silentMiddleware,
    refuseOtherBodies({ takesObject, takesFiles }) {
      route.takesObject = takesObject;
      route.takesFiles = takesFiles;
    },
    setCheck(check) {
      route.check = check;
    },
    source,
    notes: () => route.notes,
  };
}
