import type { RouteNotes } from "../../lib/route-notes.ts";
import type { SourceLocation } from "../../lib/source/source-location.ts";
import type { RequestEvent } from "../event.ts";
import type { Handler, Middleware, MiddlewareHandler } from "../handler.ts";
import { isFileHandler } from "../route/file-handlers.ts";
import type { RoutePattern } from "../route/pattern.ts";
import type { Route } from "../route/route.ts";
import { RouteError } from "../route/route-error.ts";

/** The methods that routes can have. `GET` routes also handle `HEAD`. */
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** The table that routes and middleware are added to. */
export interface RouteRegistry {
  readonly routes: readonly RegisteredRoute[];
  add(route: RegisteredRoute): void;
  /** Adds the middleware of a router. */
  addScope(scope: MiddlewareScope): void;
  /** Throws if the server is ready. `what` is the object of the message. */
  assertOpen(what: string): void;
}

/** The middleware of a router, with the prefix of the requests that it applies to. */
export interface MiddlewareScope {
  readonly prefix: string;
  readonly owner: string;
  readonly middleware: MiddlewareList;
}

/** The part of a router that its routes share. */
export interface RouteScope {
  readonly table: RouteRegistry;
  readonly owner: string;
  readonly uncounted: boolean;
  /** The middleware of the router and of those around it, from the outermost. */
  readonly middleware: readonly MiddlewareList[];
}

/** A route. Its functions are collected on first use, after all middleware has been bound. */
export class RegisteredRoute implements Route<RequestEvent> {
  readonly index: number;
  readonly method: Method;
  readonly pattern: RoutePattern;
  readonly owner: string;
  readonly uncounted: boolean;
  /** The location of the registration. */
  readonly source: SourceLocation | undefined;
  readonly handler: Handler;
  /** Whether the route is for WebSockets. */
  readonly isUpgrade: boolean = false;
  takesObject = false;
  takesFiles = false;
  check: Route["check"];
  private readonly outer: readonly MiddlewareList[];
  private readonly own: MiddlewareList;
  private assembled: readonly Handler[] | undefined;

  constructor(
    method: Method,
    pattern: RoutePattern,
    handler: Handler,
    { table, owner, uncounted, middleware }: RouteScope,
    source?: SourceLocation,
  ) {
    this.index = table.routes.length + 1;
    this.method = method;
    this.pattern = pattern;
    this.handler = handler;
    // The path of a file has no type.
    this.check = isFileHandler(handler) ? {} : undefined;
    this.owner = owner;
    this.uncounted = uncounted;
    this.source = source;
    this.outer = middleware;
    this.own = new MiddlewareList(table);
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

  /** Whether it serves files. Such routes are not part of an API, so documents do not contain them. */
  get servesFiles(): boolean {
    return isFileHandler(this.handler);
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

  /** The functions that are bound to the route itself. */
  get ownFunctions(): readonly Handler[] {
    return inOrder([this.own]);
  }

  bind(...middleware: Middleware<never>[]): this {
    for (const entry of middleware) {
      if (typeof entry === "object" && entry?.unmatched) throw needsRouter(entry.id, this);
    }
    this.own.add(middleware);
    return this;
  }

  bindFunc(...functions: Handler<never>[]): this {
    return this.bind(...functions);
  }
}

function needsRouter(id = "This middleware", { method, pattern }: Route): RouteError {
  return new RouteError(
    `${id} cannot be bound to the route ${method} ${pattern.text}, because it also handles requests without a route. Write: router.use(…).`,
  );
}

/** The middleware of a router or a route. */
export class MiddlewareList {
  readonly entries: (Required<Omit<MiddlewareHandler, "documents">> &
    Pick<MiddlewareHandler, "documents">)[] = [];
  private readonly table: RouteRegistry;

  constructor(table: RouteRegistry) {
    this.table = table;
  }

  /** Whether some of the middleware also runs for requests that match no route. */
  get hasUnmatched(): boolean {
    return this.entries.some(({ unmatched }) => unmatched);
  }

  add(middleware: readonly Middleware<never>[], forUnmatched = false): void {
    this.table.assertOpen("middleware");
    for (const entry of middleware) {
      const handler = (typeof entry === "function" ? { func: entry } : entry) as MiddlewareHandler;
      if (typeof handler?.func !== "function") {
        throw new RouteError("Middleware must be a function, or an object whose func is a function.");
      }
      const { id = "", priority = 0, unmatched = false, documents, func } = handler;
      const known = id === "" ? -1 : this.entries.findIndex((other) => other.id === id);
      this.entries.splice(known === -1 ? this.entries.length : known, known === -1 ? 0 : 1, {
        id,
        priority,
        unmatched: unmatched || forUnmatched,
        func,
        ...(documents && { documents }),
      });
    }
  }
}

/** The functions of the lists, in the order of execution. */
export function inOrder(
  lists: readonly MiddlewareList[],
  isWanted: (entry: MiddlewareList["entries"][number]) => boolean = () => true,
): Handler[] {
  return lists
    .flatMap((list) => list.entries)
    .filter(isWanted)
    .sort((one, other) => one.priority - other.priority)
    .map(({ func }) => func);
}
