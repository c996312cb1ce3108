/**
 * Annex: a dashboard, scheduled jobs, request logging and versioned API documentation for a Node backend, on the
 * application's own listener.
 *
 * ```ts
 * import { createApp } from "annex";
 *
 * const app = createApp();
 * app.onServe((e) => {
 *   e.router.get("/hello/{name}", (e) => e.json(200, { hello: e.pathValue("name") }));
 * });
 * await app.start();
 * ```
 */
import "./lib/node/require-node.ts";

/** Re-exported from Kysely, so that applications do not need their own dependency. */
export {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from "kysely";
/** Re-exported for the types of `router.upgrade`. */
export type { WebSocket } from "ws";
export type { AttachOptions } from "./adapters/index.ts";
export type { App, ErrorMiddleware, ServeEvent, Started, TerminateEvent } from "./app/app.ts";
export { createApp } from "./app/application.ts";
export type * from "./app/config/options.ts";
export type { HookOptions } from "./app/hooks.ts";
export { requireAuth, requireSuperuserAuth, type Superusers } from "./auth/index.ts";
export type {
  ActorOptions,
  Analytics,
  CatchUp,
  ExecutionLogger,
  FinishedStatus,
  Job,
  JobAnalytics,
  JobFunction,
  JobManager,
  JobOptions,
  OnInterrupt,
  OutputEntry,
  Overlap,
  QueuedRun,
  RetryOptions,
  RetryReason,
  Run,
  RunPage,
  RunQuery,
  RunStatus,
  SchedulerStatus,
  StartOptions,
  Trigger,
} from "./features/cron/index.ts";
export {
  type APIDocsConfig,
  APIRegistry,
  APIVersionManager,
  type APIVersionManagerOptions,
  type Endpoint,
  type EndpointStats,
  initializeVersionedSystemWithRoutes,
  type OpenAPIDocument,
  type RouteRegistrar,
  type VersionedRouter,
  type VersionInfo,
} from "./features/docs/index.ts";
export {
  errorWithContext,
  infoWithContext,
  type Logger,
  type LogLevel,
  type LogLevelNumber,
  type LogPage,
  type LogQuery,
  type LogRecord,
  logLevels,
  setupLogging,
  setupRecovery,
} from "./features/logging/index.ts";
export {
  type AllowedOrigins,
  bodyLimit,
  type CompressOptions,
  type CookieOptions,
  type CorsOptions,
  type CRUDHandlers,
  checked,
  compress,
  cors,
  type ErrorBody,
  type EventProducer,
  type EventStream,
  type EventStreamOptions,
  type Handler,
  type Identity,
  type InjectRequest,
  type InjectResponse,
  type Middleware,
  type MiddlewareHandler,
  type PathParams,
  type RateLimitOptions,
  RequestEvent,
  type RouteChain,
  RouteError,
  type Router,
  rateLimit,
  type SecurityHeadersOptions,
  type SentResponse,
  type ServerSentEvent,
  type StaticFilesOptions,
  securityHeaders,
  staticFiles,
  type UpgradeHandler,
  type UpgradeOptions,
  type UploadedFile,
} from "./http/index.ts";
export { ApiError, type ApiErrorOptions, type FieldProblem } from "./lib/errors/errors.ts";
export { StartError, type StartErrorCode } from "./lib/errors/start-error.ts";
export type { ResponseNotes, RouteNotes } from "./lib/route-notes.ts";
export type { ColumnTypes, Database, Migration } from "./storage/index.ts";
