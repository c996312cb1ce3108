import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { hasFunctions } from "../adapter.ts";
import { findVariable } from "../variables.ts";

/** What Express calls if nothing handled a request. */
export type Done = (error?: unknown) => void;

export type Handle = (this: unknown, request: IncomingMessage, response: ServerResponse, done?: Done) => void;

/** The parts of an Express application that Annex uses, in versions 4 and 5. */
export interface ExpressApplication {
  handle: Handle;
  listen: (...args: unknown[]) => Server;
  /** Version 5: created when it is read for the first time. In version 4, reading it throws. */
  readonly router?: unknown;
  /** Version 4. */
  readonly _router?: unknown;
}

export function isExpress(value: unknown): value is ExpressApplication {
  return typeof value === "function" && hasFunctions(value, "handle", "set", "engine", "listen");
}

/** A router of Express. */
export interface Router {
  readonly stack: readonly Layer[];
  handle(request: IncomingMessage, response: ServerResponse, done: Done): void;
}

/** A function or route in a router, with the paths that it is for. */
export interface Layer {
  readonly route?: ExpressRoute | undefined;
  readonly handle: unknown;
  /** Version 5: whether it is for all paths. */
  readonly slash?: boolean;
  /** Version 5: one for each path. */
  readonly matchers?: readonly ((path: string) => unknown)[];
  /** Version 4: matches all its paths. */
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
  /** Version 4: the names of the values in the path. */
  readonly keys?: readonly PathKey[];
}

export interface PathKey {
  readonly name: string | number;
}

/** A route of Express. The request has the same object. */
export interface ExpressRoute {
  readonly path: unknown;
  readonly methods?: Readonly<Record<string, boolean>>;
}

export function isRouter(value: unknown): value is Router {
  const isObject = typeof value === "function" || (typeof value === "object" && value !== null);
  return isObject && Array.isArray((value as Partial<Router>).stack);
}

/** The applications of version 5 whose router exists. */
const routed = new WeakSet<object>();

/** Call it when a request has a route: then the router exists, even if the inspector cannot find it. */
export function noteRouter(app: ExpressApplication): void {
  routed.add(app);
}

/** The router of an application, if it exists. */
export function routerOf(app: ExpressApplication): Router | undefined {
  const router = app._router ?? (hasRouter(app) ? app.router : undefined);
  return isRouter(router) ? router : undefined;
}

/**
 * Whether an application of version 5 has a router. Reading the property would create it, with the settings of that
 * moment, and the application may still change them.
 */
function hasRouter(app: ExpressApplication): boolean {
  if (routed.has(app)) return true;
  const { get } = Object.getOwnPropertyDescriptor(app, "router") ?? {};
  const exists = get !== undefined && isRouter(findVariable(get, "router"));
  if (exists) routed.add(app);
  return exists;
}
