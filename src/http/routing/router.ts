import { captureCaller, type SourceLocation } from "../../lib/source/source-location.ts";
import type { Handler, Middleware } from "../handler.ts";
import { isFileHandler } from "../route/file-handlers.ts";
import { joinPaths, type PathParams, parsePattern } from "../route/pattern.ts";
import { RouteError } from "../route/route-error.ts";
import type { UpgradeHandler, UpgradeOptions } from "../upgrade/accept.ts";
import type {
  AnyFunction,
  AnyMiddleware,
  CheckedField,
  CheckedHandler,
  CheckedMiddleware,
} from "./checked-handlers.ts";
import {
  type Method,
  MiddlewareList,
  RegisteredRoute,
  type RouteRegistry,
  type RouteScope,
} from "./registered-route.ts";
import { UpgradeRoute } from "./upgrade-route.ts";

/**
 * Registers routes. `{name}` matches one segment, and `{rest...}` at the end matches the remaining path.
 *
 * ```ts
 * const users = e.router.setPrefix("/users");
 * users.bind(requireAuth());
 * users.get("/{id}", (e) => e.json(200, { id: e.pathValue("id") }));
 * ```
 */
export interface Router<Outer extends string = never> {
  /** Registers a GET route, which also handles HEAD. */
  get<P extends string, H extends Handler<PathParams<P> | Outer>>(
    path: P,
    handler: CheckedHandler<H, PathParams<P> | Outer, "GET", P>,
  ): RouteChain<PathParams<P> | Outer>;
  /** Registers a POST route. */
  post<P extends string, H extends Handler<PathParams<P> | Outer>>(
    path: P,
    handler: CheckedHandler<H, PathParams<P> | Outer, "POST", P>,
  ): RouteChain<PathParams<P> | Outer>;
  /** Registers a PUT route. */
  put<P extends string, H extends Handler<PathParams<P> | Outer>>(
    path: P,
    handler: CheckedHandler<H, PathParams<P> | Outer, "PUT", P>,
  ): RouteChain<PathParams<P> | Outer>;
  /** Registers a PATCH route. */
  patch<P extends string, H extends Handler<PathParams<P> | Outer>>(
    path: P,
    handler: CheckedHandler<H, PathParams<P> | Outer, "PATCH", P>,
  ): RouteChain<PathParams<P> | Outer>;
  /** Registers a DELETE route. */
  delete<P extends string, H extends Handler<PathParams<P> | Outer>>(
    path: P,
    handler: CheckedHandler<H, PathParams<P> | Outer, "DELETE", P>,
  ): RouteChain<PathParams<P> | Outer>;
  /**
   * Registers a route for WebSockets. Middleware runs before the handshake, so it can refuse the connection.
   *
   * ```ts
   * router.upgrade("/echo", (e, socket) => {
   *   socket.on("message", (data) => socket.send(String(data)));
   * });
   * ```
   */
  upgrade<P extends string>(
    path: P,
    handler: UpgradeHandler<PathParams<P> | Outer>,
    options?: UpgradeOptions,
  ): RouteChain<PathParams<P> | Outer>;
  /** Returns a router that adds the prefix to every path and also runs this router's middleware. */
  setPrefix<P extends string>(prefix: P): Router<PathParams<P> | Outer>;
  /** Adds middleware to all routes of this router, including those registered earlier. */
  bind<M extends AnyMiddleware<string>[]>(...middleware: CheckedMiddleware<M, string>): void;
  /** Like `bind`, for functions only. */
  bindFunc<M extends AnyFunction<string>[]>(...functions: CheckedMiddleware<M, string>): void;
  /**
   * Like `bind`, and also runs the middleware for requests below the router's prefix that match no route: `404`, `405`
   * and `OPTIONS`.
   *
   * ```ts
   * router.use(cors({ origins: "https://app.example.com" }), securityHeaders());
   * ```
   */
  use<M extends AnyMiddleware<string>[]>(...middleware: CheckedMiddleware<M, string>): void;
  /** Registers a route for each given handler of a resource. The middleware runs only for routes that write. */
  crud<
    Name extends string,
    L extends Handler<Outer>,
    C extends Handler<Outer>,
    G extends Handler<"id" | Outer>,
    U extends Handler<"id" | Outer>,
    P extends Handler<"id" | Outer>,
    D extends Handler<"id" | Outer>,
    M extends AnyMiddleware<string>[],
  >(
    resource: Name,
    handlers: CheckedCRUDHandlers<Outer, Name, L, C, G, U, P, D>,
    ...middleware: CheckedMiddleware<M, string>
  ): void;
}

/** A registered route, to which middleware can be added. */
export interface RouteChain<Params extends string = string> {
  /** Adds middleware to the route. */
  bind<M extends AnyMiddleware<Params>[]>(...middleware: CheckedMiddleware<M, Params>): RouteChain<Params>;
  /** Like `bind`, for functions only. */
  bindFunc<M extends AnyFunction<Params>[]>(...functions: CheckedMiddleware<M, Params>): RouteChain<Params>;
}

/** The handlers of a resource for `router.crud`. All are optional. */
export interface CRUDHandlers<Outer extends string = never> {
  /** GET /resource */
  list?: Handler<Outer>;
  /** POST /resource */
  create?: Handler<Outer>;
  /** GET /resource/{id} */
  get?: Handler<"id" | Outer>;
  /** PUT /resource/{id} */
  update?: Handler<"id" | Outer>;
  /** PATCH /resource/{id} */
  patch?: Handler<"id" | Outer>;
  /** DELETE /resource/{id} */
  delete?: Handler<"id" | Outer>;
}

/** The same, with results that are checked by the compiler. */
interface CheckedCRUDHandlers<Outer extends string, Name extends string, L, C, G, U, P, D> {
  list?: CheckedField<L, Outer, Name, "list">;
  create?: CheckedField<C, Outer, Name, "create">;
  get?: CheckedField<G, "id" | Outer, Name, "get">;
  update?: CheckedField<U, "id" | Outer, Name, "update">;
  patch?: CheckedField<P, "id" | Outer, Name, "patch">;
  delete?: CheckedField<D, "id" | Outer, Name, "delete">;
}

const crudRoutes = [
  { field: "list", method: "GET", path: "", guarded: false },
  { field: "create", method: "POST", path: "", guarded: true },
  { field: "get", method: "GET", path: "/{id}", guarded: false },
  { field: "update", method: "PUT", path: "/{id}", guarded: true },
  { field: "patch", method: "PATCH", path: "/{id}", guarded: true },
  { field: "delete", method: "DELETE", path: "/{id}", guarded: true },
] as const;

/** An object with a class, or a module, can have other members. */
function checkCrudHandlers(resource: string, handlers: unknown): void {
  if (typeof handlers !== "object" || handlers === null)
    throw new RouteError(`The handlers of the resource "${resource}" must be an object.`);
  if (Object.getPrototypeOf(handlers) !== Object.prototype) return;
  const unknown = Object.keys(handlers).find((name) => !crudRoutes.some(({ field }) => field === name));
  if (unknown === undefined) return;
  throw new RouteError(
    `The resource "${resource}" has no handler "${unknown}". It has list, create, get, update, patch and delete.`,
  );
}

/** A router with methods for internal use. */
export interface RootRouter extends Router {
  /** A router whose requests are neither logged nor counted, unless they are refused or redirected. */
  uncounted(): RootRouter;
  /** A router that reports each registered route and also runs this router's middleware. */
  observed(onRoute: (route: RegisteredRoute) => void): RootRouter;
}

interface RouterContext {
  prefix: string;
  uncounted: boolean;
  /** The middleware of the routers around it, from the outermost. */
  middleware: readonly MiddlewareList[];
  onRoute: (route: RegisteredRoute) => void;
}

/** Creates a router whose routes are added to the table. */
export function createRouter(
  table: RouteRegistry,
  owner: string,
  context: Partial<RouterContext> = {},
): RootRouter {
  const { prefix = "", uncounted = false, onRoute = () => {} } = context;
  const openScope = (below: string, outer: readonly MiddlewareList[]) => {
    const own = new MiddlewareList(table);
    table.addScope({ prefix: below, owner, middleware: own });
    return [...outer, own];
  };
  const middleware = context.middleware ?? openScope(prefix, []);

  const scope: RouteScope = { table, owner, uncounted, middleware };

  function patternOf(method: string, path: string, handler: unknown) {
    if (typeof handler !== "function") {
      throw new RouteError(`The handler of route ${method} ${joinPaths(prefix, path)} must be a function.`);
    }
    return parsePattern(joinPaths(prefix, path));
  }

  function add(method: Method, path: string, handler: Handler<never>, source: SourceLocation | undefined) {
    const pattern = patternOf(method, path, handler);
    if (isFileHandler(handler) && pattern.rest === undefined) {
      throw new RouteError(
        `The route ${method} ${pattern.text} serves files, so its path must end with {path...}.`,
      );
    }
    const route = new RegisteredRoute(method, pattern, handler as Handler, scope, source);
    table.add(route);
    onRoute(route);
    return route as RouteChain<never>;
  }

  const register = (method: Method) => {
    const registerRoute = (path: string, handler: Handler<never>): RouteChain<never> =>
      add(method, path, handler, captureCaller(registerRoute));
    return registerRoute;
  };

  function upgrade(
    path: string,
    handler: UpgradeHandler<never>,
    options: UpgradeOptions = {},
  ): RouteChain<never> {
    const pattern = patternOf("GET", path, handler);
    const route = new UpgradeRoute(
      pattern,
      handler as UpgradeHandler,
      options,
      scope,
      captureCaller(upgrade),
    );
    table.add(route);
    return route as RouteChain<never>;
  }

  function crud(resource: string, handlers: CRUDHandlers, ...guards: Middleware[]): void {
    const source = captureCaller(crud);
    checkCrudHandlers(resource, handlers);
    for (const { field, method, path, guarded } of crudRoutes) {
      const handler = handlers[field];
      if (handler === undefined) continue;
      const chain = add(method, `/${resource}${path}`, handler, source);
      if (guarded) chain.bind(...guards);
    }
  }

  const own = middleware.at(-1)!;
  const inner = (changes: Partial<RouterContext>) =>
    createRouter(table, owner, { prefix, uncounted, middleware, onRoute, ...changes });
  return {
    get: register("GET"),
    post: register("POST"),
    put: register("PUT"),
    patch: register("PATCH"),
    delete: register("DELETE"),
    upgrade,
    setPrefix(added: string) {
      const below = joinPaths(prefix, added);
      return inner({ prefix: below, middleware: openScope(below, middleware) });
    },
    uncounted: () => inner({ uncounted: true }),
    observed: (observe: RouterContext["onRoute"]) =>
      inner({ middleware: openScope(prefix, middleware), onRoute: observe }),
    bind: (...entries: Middleware[]) => own.add(entries),
    bindFunc: (...functions: Handler[]) => own.add(functions),
    use: (...entries: Middleware[]) => own.add(entries, true),
    crud,
  } as RootRouter;
}
