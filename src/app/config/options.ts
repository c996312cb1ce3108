// Generated from the declarations of options by scripts/update-options.ts. Do not edit.
import type { Writable } from "node:stream";
import type { APIVersionManager } from "../../features/docs/index.ts";
import type { LogFormat, LogLevel, LogLevelNumber } from "../../features/logging/index.ts";
import type { Migration } from "../../storage/index.ts";

/**
 * Options of `createApp`. All options have defaults. Options passed in code override environment variables.
 *
 * ```ts
 * const app = createApp({ port: 3000, log: { retentionHours: 48 } });
 * ```
 */
export interface AppOptions {
  /** Development mode: documents are generated from the source, and more is logged. Default: NODE_ENV is not production. */
  dev?: boolean;
  /** Port to listen on. `0` selects a free port. Default: 8090. Environment SVC_PORT or PORT. */
  port?: number;
  /** Address to listen on. Default: 127.0.0.1. Environment SVC_HOST. */
  host?: string;
  /** Path before all paths of Annex: with `/internal`, the dashboard is at `/internal/_/_`. Routes of the application are not moved. Default: none. Environment SVC_BASE_PATH. */
  basePath?: string;
  /** Folder for all stored data. Default: ./svc_data. Environment SVC_DATA_DIR. */
  dataDir?: string;
  /** PostgreSQL URL (`postgres://…`). Several instances can share one database. Default: SQLite in the data folder. Environment SVC_DATABASE_URL. */
  database?: string;
  /** Timeout of a PostgreSQL query, in milliseconds. Slower queries fail with `503`. Migrations have no timeout. Default: 5000. Environment SVC_DATABASE_TIMEOUT_MS. */
  databaseTimeoutMs?: number;
  /** Maximum number of PostgreSQL connections for requests and jobs. The background threads use up to four more. Default: 10. Environment SVC_DATABASE_POOL_SIZE. */
  databasePoolSize?: number;
  /** How long a query waits for a free or new PostgreSQL connection, in milliseconds. Default: 80% of databaseTimeoutMs, at most 10000. Environment SVC_DATABASE_CONNECT_TIMEOUT_MS. */
  databaseConnectTimeoutMs?: number;
  /** Time after which an unused PostgreSQL connection is closed, in milliseconds. `0` keeps connections open. Default: 10000. Environment SVC_DATABASE_IDLE_TIMEOUT_MS. */
  databaseIdleTimeoutMs?: number;
  /** How long a start waits for PostgreSQL, in milliseconds. `0` does not wait. Default: 30000. Environment SVC_DATABASE_WAIT_MS. */
  databaseWaitMs?: number;
  /** Name of this machine or container among the instances. Default: the host's name. Environment SVC_INSTANCE. */
  instance?: string;
  /** Release of the application, such as `1.4.2+3f2a91c`. The dashboard marks it in every chart. Default: the package's version and the commit. Environment SVC_RELEASE. */
  release?: string;
  /** Migrations of the application's own tables, by name: `{ "001-todos": { up: (db, types) => … } }`. Default: none. */
  migrations?: Record<string, Migration>;
  /** Whether signals such as SIGTERM, and the message `shutdown`, stop the application. Default: true. */
  signals?: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted. Default: none. Environment SVC_TRUSTED_PROXIES. */
  trustedProxies?: string[];
  /** Minimum level of log records. Requests are logged at `debug`. Default: debug in development, else info. Environment SVC_LOG_LEVEL. */
  logLevel?: LogLevel | LogLevelNumber;
  /** API versions. Their routes are mounted at startup and documented under `/api/docs`. Default: none. */
  versions?: APIVersionManager;
  /** Folder from which production loads the API documents generated at build time. Default: specs beside the entry. Environment SVC_OPENAPI_SPECS_DIR. */
  specsDir?: string;
  /** Whether public documents and spec files contain source locations (`x-source`). Superusers always see them. Default: false. Environment SVC_DOCS_SOURCES. */
  docsSources?: boolean;
  /** Certificate of the server for HTTPS. */
  tls?: TlsOptions;
  /** Log output and storage. */
  log?: LogOptions;
  /** Scheduled jobs. */
  cron?: CronOptions;
  /** Metrics. */
  metrics?: MetricsOptions;
  /** Visitor statistics. */
  visitors?: VisitorsOptions;
  /** Sign-in of superusers. */
  auth?: AuthOptions;
  /** The access log. */
  access?: AccessOptions;
  /** Timing of a graceful shutdown. */
  shutdown?: ShutdownOptions;
  /** Size limits and timeouts of the HTTP server. */
  limits?: LimitsOptions;
  /** Limits of the health status. */
  health?: HealthOptions;
}

/** Certificate of the server for HTTPS. */
export interface TlsOptions {
  /** Private key of the server for HTTPS: the path of a PEM file, or PEM text. Default: none. Environment SVC_TLS_KEY. */
  key?: string;
  /** Certificate of the server for HTTPS, followed by intermediate certificates: the path of a PEM file, or PEM text. Default: none. Environment SVC_TLS_CERT. */
  cert?: string;
}

/** Log output and storage. */
export interface LogOptions {
  /** Where records are written: `stdout`, `stderr`, a file path or a stream. Default: stdout. Environment SVC_LOG_FILE. */
  destination?: string | Writable;
  /** Output format: `json`, or `pretty` for reading in a terminal. Default: pretty in a terminal, else json. Environment SVC_LOG_FORMAT. */
  format?: LogFormat;
  /** Additional names of fields, parameters and headers to redact in the log and on the dashboard. Default: none. */
  redact?: string[];
  /** Additional fields of errors to log. Default: none. */
  errorFields?: string[];
  /** Share of successful, fast requests that is logged, such as `0.1`. All others are always logged. Default: 1. Environment SVC_LOG_SAMPLE. */
  sample?: number;
  /** Requests that take at least this many milliseconds are logged, whatever `log.sample` is. Default: 1000. Environment SVC_LOG_SLOW_MS. */
  slowMs?: number;
  /** Whether log records are also stored in the database, where they can be searched. Default: true. */
  store?: boolean;
  /** How long log records are stored. Default: 168. Environment SVC_LOG_RETENTION_HOURS. */
  retentionHours?: number;
  /** Maximum size of the log records in the database, in megabytes. The oldest are deleted first. Default: 1024. Environment SVC_LOG_MAX_MB. */
  maxMegabytes?: number;
}

/** Scheduled jobs. */
export interface CronOptions {
  /** Time zone of all schedules, until it is changed at run time. Default: UTC. Environment SVC_CRON_TIMEZONE. */
  timezone?: string;
  /** Whether this instance runs jobs. If not, it only serves. Default: true. Environment SVC_CRON_RUN. */
  run?: boolean;
  /** Maximum number of runs in progress on this instance. Default: none. Environment SVC_CRON_CONCURRENCY. */
  concurrency?: number;
  /** Maximum number of runs in progress by job group, on all instances together. Default: none. Environment SVC_CRON_GROUPS. */
  groups?: Record<string, number>;
  /** How long job logs are stored. Default: 72. Environment SVC_CRON_LOG_RETENTION_HOURS. */
  logRetentionHours?: number;
  /** Maximum number of finished runs in the job log. The oldest are deleted first, once a day. Default: 1000000. Environment SVC_CRON_MAX_RUNS. */
  maxRuns?: number;
}

/** Metrics. */
export interface MetricsOptions {
  /** Maximum size of the metrics history, in megabytes. The default holds a year of 200 routes with 20 requests per second. The oldest data is deleted first. Default: 320. Environment SVC_METRICS_MAX_MB. */
  maxMegabytes?: number;
  /** Duration of a block of the event loop, in milliseconds, from which it is recorded as a stall. `0` turns the detection off. Default: 100. Environment SVC_METRICS_STALL_MS. */
  stallMs?: number;
  /** Token that allows a Prometheus scraper to read `/_/_/metrics`. At least 16 characters. Default: none. Environment SVC_METRICS_TOKEN. */
  scrapeToken?: string;
}

/** Visitor statistics. */
export interface VisitorsOptions {
  /** Whether page views are counted. Default: true. Environment SVC_VISITORS. */
  enabled?: boolean;
  /** Whether requests with `DNT: 1` or `Sec-GPC: 1` are excluded. Default: false. Environment SVC_VISITORS_HONOUR_DNT. */
  honourDoNotTrack?: boolean;
  /** Paths that are counted regardless of the response's content type, for example `/app/*`. Default: none. */
  include?: string[];
  /** Paths that are never counted. `*` matches any characters. Default: none. */
  exclude?: string[];
}

/** Sign-in of superusers. */
export interface AuthOptions {
  /** How long a superuser stays signed in, with a browser session or an API token. Default: 168. Environment SVC_TOKEN_HOURS. */
  tokenHours?: number;
  /** Addresses and networks from which superusers can sign in and use their sessions and tokens. Default: all. Environment SVC_AUTH_ALLOWED_ADDRESSES. */
  allowedAddresses?: string[];
  /** Minutes after which an unused browser session ends. At least 2. API tokens have no such limit. Default: none. Environment SVC_AUTH_IDLE_MINUTES. */
  idleMinutes?: number;
}

/** The access log. */
export interface AccessOptions {
  /** How many days access events are stored. Default: 90. Environment SVC_ACCESS_RETENTION_DAYS. */
  retentionDays?: number;
}

/** Timing of a graceful shutdown. */
export interface ShutdownOptions {
  /** Time that requests in flight have to finish during a shutdown, in milliseconds. Default: 10000. Environment SVC_SHUTDOWN_GRACE_MS. */
  graceMs?: number;
  /** How long the health endpoint returns `draining` before the port closes, in milliseconds. Default: 0. Environment SVC_SHUTDOWN_DRAIN_MS. */
  drainMs?: number;
}

/** Size limits and timeouts of the HTTP server. */
export interface LimitsOptions {
  /** Maximum size of a request body, unless the route sets its own limit. Default: 1048576. */
  bodyBytes?: number;
  /** Maximum total size of the request headers. Default: 16384. */
  headerBytes?: number;
  /** Time a client has to send the request headers, in milliseconds. Default: 20000. */
  headersTimeoutMs?: number;
  /** Time a client has to send the whole request, in milliseconds. Default: 120000. */
  requestTimeoutMs?: number;
  /** Maximum time without progress while a body is read or parsed, in milliseconds. The request ends with `408` within twice this time. Default: 60000. */
  bodyTimeoutMs?: number;
  /** How long an idle connection stays open, in milliseconds. Default: 72000. */
  keepAliveTimeoutMs?: number;
  /** How long a client may stop reading a response, in milliseconds. Annex closes the connection within twice this time. Default: 30000. */
  stalledTimeoutMs?: number;
  /** Maximum size of the data that waits for a client of an event stream or a WebSocket. Slower clients are disconnected. Default: 1048576. */
  unreadBytes?: number;
  /** Maximum number of open event streams and WebSockets of a client address, or of an IPv6 /64 network. Others get `429`. Default: 200. */
  openStreamsPerAddress?: number;
  /** Maximum number of open event streams and WebSockets of this instance. Others get `503`. Default: 10000. */
  openStreams?: number;
  /** Age from which a request without a response is reported as long-running, in milliseconds. Default: 60000. */
  longRequestMs?: number;
}

/** Limits of the health status. */
export interface HealthOptions {
  /** What `/api/health/ready` requires: what the `application` itself needs, or `everything` that Annex stores and runs. Default: application. Environment SVC_HEALTH_READY_NEEDS. */
  readyNeeds?: "application" | "everything";
  /** Share of 5xx responses among all requests, in percent, above which the health status is `degraded`. Default: 5. Environment SVC_HEALTH_ERROR_PERCENT. */
  errorPercent?: number;
  /** The same for each route. Default: 10. Environment SVC_HEALTH_ROUTE_ERROR_PERCENT. */
  routeErrorPercent?: number;
  /** The p95 of all requests or of a route, in milliseconds, above which the health status is `degraded`. Default: 10000. Environment SVC_HEALTH_P95_MS. */
  p95Ms?: number;
  /** Limits of single routes, such as `POST /checkout errors=20% p95=2s`. They replace the comparison with the past. Default: none. Environment SVC_HEALTH_ROUTES. */
  routes?: string[];
}
