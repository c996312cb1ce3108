import type { ServerResponse } from "node:http";
import { StartError } from "../lib/errors/start-error.ts";
import { type Adapter, type HostRoute, hasFunctions } from "./adapter.ts";
import { convertPath, remember } from "./patterns.ts";
import { attachServer, requireHttpServer } from "./server.ts";

interface HonoRoute {
  readonly method: string;
  readonly path: string;
}

type ErrorHandler = (error: unknown, context: { env?: { outgoing?: ServerResponse } }) => unknown;

/** The parts of a Hono application that Annex uses. */
interface HonoApplication {
  readonly routes: readonly HonoRoute[];
  readonly router: {
    match(
      method: string,
      path: string,
    ): readonly [readonly [readonly [unknown, HonoRoute], unknown][], ...unknown[]];
  };
  errorHandler?: ErrorHandler;
}

function isHono(value: unknown): value is HonoApplication {
  if (!hasFunctions(value, "fetch", "request", "onError")) return false;
  const { routes, router } = value as Partial<HonoApplication>;
  return Array.isArray(routes) && hasFunctions(router, "match");
}

/** How Hono calls the method of middleware and of routes for all methods. */
const allMethods = "ALL";

export const attachHono: Adapter = (target, context, { server }) => {
  if (!isHono(target)) return undefined;
  const app = target;
  if (server === undefined) {
    throw new StartError(
      "ATTACH_UNSUPPORTED",
      "Hono does not create its server, so Annex needs it: attach(app, { server: serve(app) }), with serve from @hono/node-server.",
    );
  }
  const toKnownPattern = remember(toPattern);
  const readRoutes = () => context.noteRoutes(listRoutes(app));
  readRoutes();
  const attached = attachServer(requireHttpServer(server), context, {
    name: "Hono",
    readRoutes,
    patternOf({ method, path }) {
      const found = findRoute(app, method, path);
      return found === undefined ? undefined : toKnownPattern(found);
    },
  });
  const restore = watchErrors(app, (error, response) => context.observedOf(response)?.noteError(error));
  return {
    ...attached,
    detach() {
      restore();
      attached.detach();
    },
  };
};

/** Sees errors before the handler of the application, even if the application sets it later, with `onError`. */
function watchErrors(
  app: HonoApplication,
  onError: (error: unknown, response: ServerResponse) => void,
): () => void {
  let handle = app.errorHandler;
  if (handle === undefined) return () => {};
  const watched: ErrorHandler = (error, c) => {
    const response = c.env?.outgoing;
    if (response) onError(error, response);
    return handle?.(error, c);
  };
  const property = { configurable: true, enumerable: true };
  Object.defineProperty(app, "errorHandler", {
    ...property,
    get: () => watched,
    set(next: ErrorHandler) {
      handle = next;
    },
  });
  return () => Object.defineProperty(app, "errorHandler", { ...property, value: handle, writable: true });
}

/** Hono writes the values that a parameter may have after its name: `:id{[0-9]+}`. */
function toPattern(path: string): string {
  return convertPath(path.replace(/(:\w+)\{(?:[^{}]|\{[^}]*\})*\}/g, "$1"));
}

/** The path of the first route for a request that is not middleware. Routes for all methods look like middleware. */
function findRoute({ router }: HonoApplication, method: string, path: string): string | undefined {
  // Hono handles HEAD like GET.
  const [matches] = router.match(method === "HEAD" ? "GET" : method, path);
  let found: string | undefined;
  for (const [[, route]] of matches) {
    if (route.method !== allMethods) return route.path;
    if (!route.path.endsWith("*")) found = route.path;
  }
  return found;
}

function listRoutes({ routes }: HonoApplication): HostRoute[] {
  return routes
    .filter(({ method }) => method !== allMethods)
    .map(({ method, path }) => ({ method, pattern: toPattern(path) }));
}
