import type { AttachOptions } from "../adapters/index.ts";
import type { Auth } from "../auth/index.ts";
import type { JobManager } from "../features/cron/index.ts";
import type { Logger, LogPage, LogQuery } from "../features/logging/index.ts";
import type { InjectRequest, InjectResponse, Router } from "../http/index.ts";
import type { Database } from "../storage/index.ts";
import type { HookControl, HookOptions } from "./hooks.ts";

/** Error middleware of Express. It has four arguments, and the first one is the error. */
export type ErrorMiddleware = (
  error: unknown,
  request: object,
  response: unknown,
  next: (error?: unknown) => void,
) => void;

/** An application, created with `createApp`. */
export interface App extends AsyncDisposable {
  /**
   * Adds a hook that registers routes and middleware at startup, after the routes of Annex.
   *
   * ```ts
   * app.onServe((e) => {
   *   e.router.get("/hello/{name}", (e) => e.json(200, { hello: e.pathValue("name") }));
   * });
   * ```
   */
  onServe(hook: (e: ServeEvent) => unknown, options?: HookOptions): void;
  /** Adds a hook that runs during shutdown, while the database is still open. */
  onTerminate(hook: (e: TerminateEvent) => unknown, options?: HookOptions): void;
  /** The scheduled jobs. Register jobs before or after `start`. */
  readonly jobs: JobManager;
  /** The application's logger. */
  readonly logger: Logger;
  /** Searches the log records in the database. */
  readonly logs: { search(query?: LogQuery): Promise<LogPage> };
  /** The accounts that can use the dashboard and the API of Annex. Available before and after `start`. */
  readonly superusers: Auth["superusers"];
  /**
   * Sets the function that authenticates the application's own users. Its result becomes `e.auth`.
   *
   * ```ts
   * app.authenticate(async (e) => {
   *   const user = await findUserByKey(e.header("x-api-key"));
   *   return user ? { id: user.id, type: "user" } : null;
   * });
   * ```
   */
  authenticate(resolve: Parameters<Auth["resolveWith"]>[0]): void;
  /**
   * Opens and migrates the database, and returns it for the application's own tables. From then on, the instance is ready
   * only while the database can be written.
   */
  database(): Promise<Database>;
  /** Opens the database and starts listening. In a worker, it only starts the jobs. */
  start(): Promise<Started>;
  /**
   * Runs on the server of another application, instead of `start`: adds the paths of Annex before the application's
   * routes, and observes its requests. The application keeps its server, its error responses and its signals.
   *
   * ```ts
   * const annex = createApp();
   * await annex.attach(express);
   * ```
   *
   * `target` is an Express, Fastify, NestJS, Koa or Hono application, or a server of node:http or node:https. Attach to
   * Fastify before it listens. For Hono, pass its server too.
   */
  attach(target: object, options?: AttachOptions): Promise<void>;
  /** Restores the application that Annex was attached to, and stops Annex. */
  detach(): Promise<void>;
  /**
   * Records an error that the application has handled, with the route and the trace ID of its request. If the error has a
   * status from 400 to 499 and the response a status below 500, it is only logged, at level `warn`.
   *
   * `request` is a request of node:http, Express, Fastify or NestJS, or a context of Koa or Hono. Default: the current
   * request.
   */
  reportError(error: unknown, request?: object): void;
  /**
   * Middleware for Express that passes errors on, and records those that end in a response with status 500 or more. Add
   * it after the routes, before the application's own error handler.
   */
  readonly errorHandler: ErrorMiddleware;
  /** The trace ID of the current request or job run. Undefined outside of both. */
  traceId(): string | undefined;
  /**
   * Whether the process only runs jobs: `annex worker`. There, `attach` does not change its target, so an application on
   * its own server should not listen.
   *
   * ```ts
   * if (!annex.isWorker) express.listen(3000);
   * ```
   */
  readonly isWorker: boolean;
  /** Stops gracefully: finishes requests in flight, runs the terminate hooks and writes all pending data. */
  stop(options?: { isRestart?: boolean }): Promise<void>;
  /** Sends a request without a socket, for tests. Works before `start` too, with the same middleware and routes. */
  inject(request: InjectRequest): Promise<InjectResponse>;
}

/** The address of a started application. In a worker (`annex worker`), `url` is empty and `port` is 0. */
export interface Started {
  /** The URL of the server, such as "http://127.0.0.1:8090". */
  readonly url: string;
  /** The port of the server. */
  readonly port: number;
  /** One-time link for creating the first superuser. Absent if a superuser exists. */
  readonly setupUrl?: string;
}

/** Passed to the hooks of `app.onServe`. */
export interface ServeEvent extends HookControl {
  /** The application. */
  readonly app: App;
  /** Registers routes outside API versions, and middleware for all routes of the application. */
  readonly router: Router;
}

/** Passed to the hooks of `app.onTerminate`. */
export interface TerminateEvent extends HookControl {
  /** The application. */
  readonly app: App;
  /** Whether the process restarts immediately, as with `annex dev`. */
  readonly isRestart: boolean;
}

declare module "../http/host.ts" {
  interface Host extends App {}
}
