import type { RouteNotes } from "../lib/route-notes.ts";
import { captureCaller, type SourceLocation, showLocation } from "../lib/source-location.ts";
import type { RequestEvent } from "./event.ts";
import type { Handler, Middleware, MiddlewareHandler } from "./handler.ts";
import { joinPaths, type PathParams, parsePattern, type RoutePattern } from "./pattern.ts";
import type { Route } from "./route.ts";
import { RouteError } from "./route-error.ts";

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

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
  get<P extends string>(path: P, handler: Handler<PathParams<P> | Outer>): RouteChain<PathParams<P> | Outer>;
  /** Registers a POST route. */
  post<P extends string>(path: P, handler: Handler<PathParams<P> | Outer>): RouteChain<PathParams<P> | Outer>;
  /** Registers a PUT route. */
  put<P extends string>(path: P, handler: Handler<PathParams<P> | Outer>): RouteChain<PathParams<P> | Outer>;
  /** Registers a PATCH route. */
  patch<P extends string>(
    path: P,
    handler: Handler<PathParams<P> | Outer>,
  ): RouteChain<PathParams<P> | Outer>;
  /** Registers a DELETE route. */
  delete<P extends string>(
    path: P,
    handler: Handler<PathParams<P> | Outer>,
  ): RouteChain<PathParams<P> | Outer>;
  /** Returns a router that adds the prefix to every path and also runs this router's middleware. */
  setPrefix<P extends string>(prefix: P): Router<PathParams<P> | Outer>;
  /** Adds middleware to all routes of this router, including those registered earlier. */
  bind(...middleware: Middleware[]): void;
  /** Like `bind`, for functions only. */
  bindFunc(...functions: Handler[]): void;
  /** Registers a route for each given handler of a resource. The middleware runs only for routes that write. */
  crud(resource: string, handlers: CRUDHandlers<Outer>, ...middleware: Middleware[]): void;
}

/** A registered route, to which middleware can be added. */
export interface RouteChain<Params extends string = string> {
  /** Adds middleware to the route. */
  bind(...middleware: Middleware<Params>[]): RouteChain<Params>;
  /** Like `bind`, for functions only. */
  bindFunc(...functions: Handler<Params>[]): RouteChain<Params>;
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

const crudRoutes = [
  { field: "list", method: "GET", path: "", guarded: false },
  { field: "create", method: "POST", path: "", guarded: true },
  { field: "get", method: "GET", path: "/{id}", guarded: false },
  { field: "update", method: "PUT", path: "/{id}", guarded: true },
  { field: "patch", method: "PATCH", path: "/{id}", guarded: true },
  { field: "delete", method: "DELETE", path: "/{id}", guarded: true },
] as const;

/** The routes of one server, with their owners and the reserved prefixes. */
export class RouteTable {
  readonly routes: RegisteredRoute[] = [];
  private readonly byShape = new Map<string, RegisteredRoute>();
  private readonly reserved: { prefix: string; owner: string }[] = [];
  private isFixed = false;

  /** Reserves a prefix and all paths below it for one owner. */
  reserve(prefix: string, owner: string): void {
    this.reserved.push({ prefix, owner });
  }

  reservedPrefixes(): readonly { prefix: string; owner: string }[] {
    return this.reserved;
  }

  /** The owner of the reserved prefix that contains the path. */
  ownerOf(path: string): string | undefined {
    return this.reserved.find(({ prefix }) => isBelow(path, prefix))?.owner;
  }

  router(owner: string): RootRouter {
    return createRouter(this, owner);
  }

  /** Ends the registration. Routes added later would never run, so they are rejected. */
  fix(): void {
    this.isFixed = true;
  }

  /** @internal */
  assertOpen(what: string): void {
    if (this.isFixed) throw new RouteError(`Cannot add ${what}: the server is ready. Use app.onServe.`);
  }

  add(route: RegisteredRoute): void {
    const { method, pattern, owner } = route;
    this.assertOpen(`route ${method} ${pattern.text}`);
    const holder = this.reserved.find(({ prefix }) => isBelow(pattern.text, prefix));
    if (holder && holder.owner !== owner) {
      throw new RouteError(
        `The route ${method} ${pattern.text} cannot be registered${placeOf(route)}: the prefix ${holder.prefix} is reserved for ${holder.owner}.`,
      );
    }
    const key = `${method} ${pattern.shape}`;
    const other = this.byShape.get(key);
    if (other) {
      throw new RouteError(
        `The route ${method} ${pattern.text} cannot be registered${placeOf(route)}: ${other.owner} has already registered ${method} ${other.pattern.text}${placeOf(other)}.`,
      );
    }
    this.byShape.set(key, route);
    this.routes.push(route);
  }
}

/** The location of the registration, as the end of a sentence. */
function placeOf({ source }: RegisteredRoute): string {
  return source ? ` at ${showLocation(source)}` : "";
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
}

/** A route. Its functions are collected on first use, after all middleware has been bound. */
export class RegisteredRoute implements Route<RequestEvent> {
  readonly index: number;
  readonly method: string;
  readonly pattern: RoutePattern;
  readonly owner: string;
  readonly uncounted: boolean;
  /** The location of the registration. */
  readonly source: SourceLocation | undefined;
  readonly handler: Handler;
  takesObject = false;
  private readonly outer: MiddlewareList[];
  private readonly own: MiddlewareList;
  private assembled: readonly Handler[] | undefined;

  constructor(
    method: string,
    pattern: RoutePattern,
    handler: Handler,
    router: { table: RouteTable; owner: string; uncounted: boolean; middleware: MiddlewareList[] },
    source?: SourceLocation,
  ) {
    this.index = router.table.routes.length + 1;
    this.method = method;
    this.pattern = pattern;
    this.handler = handler;
    this.owner = router.owner;
    this.uncounted = router.uncounted;
    this.source = source;
    this.outer = router.middleware;
    this.own = new MiddlewareList(router.table);
  }

  get functions(): readonly Handler[] {
    this.assembled ??= [...inOrder([...this.outer, this.own]), this.handler];
    return this.assembled;
  }

  get sharedFunctions(): readonly Handler[] {
    return inOrder(this.outer);
  }

  /** The name of the handler function, if it has one. */
  get handlerName(): string | undefined {
    return this.handler.name || undefined;
  }

  /** The middleware without documentation. */
  get silentMiddleware(): readonly Handler[] {
    const entries = [...this.outer, this.own].flatMap((list) => list.entries);
    return entries.filter(({ documents }) => documents === undefined).map(({ func }) => func);
  }

  /** Documentation from the middleware. */
  get notes(): readonly RouteNotes[] {
    return [...this.outer, this.own].flatMap(({ entries }) =>
      entries.flatMap(({ documents }) => documents ?? []),
    );
  }

  bind(...middleware: Middleware<never>[]): this {
    this.own.add(middleware);
    return this;
  }

  bindFunc(...functions: Handler<never>[]): this {
    return this.bind(...functions);
  }
}

class MiddlewareList {
  readonly entries: (Required<Omit<MiddlewareHandler, "documents">> &
    Pick<MiddlewareHandler, "documents">)[] = [];
  private readonly table: RouteTable;

  constructor(table: RouteTable) {
    this.table = table;
  }

  add(middleware: readonly Middleware<never>[]): void {
    this.table.assertOpen("middleware");
    for (const entry of middleware) {
      const handler = (typeof entry === "function" ? { func: entry } : entry) as MiddlewareHandler;
      if (typeof handler?.func !== "function") {
        throw new RouteError("Middleware must be a function, or an object whose func is a function.");
      }
      const { id = "", priority = 0, documents, func } = handler;
      const known = id === "" ? -1 : this.entries.findIndex((other) => other.id === id);
      this.entries.splice(known === -1 ? this.entries.length : known, known === -1 ? 0 : 1, {
        id,
        priority,
        func,
        ...(documents && { documents }),
      });
    }
  }
}

function inOrder(lists: readonly MiddlewareList[]): Handler[] {
  return lists
    .flatMap((list) => list.entries)
    .sort((one, other) => one.priority - other.priority)
    .map(({ func }) => func);
}

/** A router with methods for internal use. */
export interface RootRouter extends Router {
  /** A router whose routes are neither logged nor counted. */
  uncounted(): RootRouter;
  /** A router that reports each registered route and also runs this router's middleware. */
  observed(onRoute: (route: RegisteredRoute) => void): RootRouter;
}

interface RouterContext {
  owner: string;
  prefix: string;
  uncounted: boolean;
  middleware: MiddlewareList[];
  onRoute: (route: RegisteredRoute) => void;
}

function createRouter(table: RouteTable, owner: string, context: Partial<RouterContext> = {}): RootRouter {
  const {
    prefix = "",
    uncounted = false,
    middleware = [new MiddlewareList(table)],
    onRoute = () => {},
  } = context;

  function add(method: string, path: string, handler: Handler<never>, source: SourceLocation | undefined) {
    if (typeof handler !== "function") {
      throw new RouteError(`The handler of route ${method} ${joinPaths(prefix, path)} must be a function.`);
    }
    const pattern = parsePattern(joinPaths(prefix, path));
    const router = { table, owner, uncounted, middleware };
    const route = new RegisteredRoute(method, pattern, handler as Handler, router, source);
    table.add(route);
    onRoute(route);
    return route as RouteChain<never>;
  }

  const register = (method: string) => {
    const registerRoute = (path: string, handler: Handler<never>): RouteChain<never> =>
      add(method, path, handler, captureCaller(registerRoute));
    return registerRoute;
  };

  function crud(resource: string, handlers: CRUDHandlers, ...guards: Middleware[]): void {
    const source = captureCaller(crud);
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
  const nested = () => [...middleware, new MiddlewareList(table)];
  return {
    get: register("GET"),
    post: register("POST"),
    put: register("PUT"),
    patch: register("PATCH"),
    delete: register("DELETE"),
    setPrefix: (added: string) => inner({ prefix: joinPaths(prefix, added), middleware: nested() }),
    uncounted: () => inner({ uncounted: true }),
    observed: (observe: RouterContext["onRoute"]) => inner({ middleware: nested(), onRoute: observe }),
    bind: (...entries: Middleware[]) => own.add(entries),
    bindFunc: (...functions: Handler[]) => own.add(functions),
    crud,
  } as RootRouter;
}
