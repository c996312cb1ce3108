import type { Writable } from "node:stream";
import type { APIVersionManager } from "../docs/index.ts";
import type { ListenerLimits } from "../http/index.ts";
import type { LogFormat, LogLevel } from "../logging/index.ts";
import type { Migration } from "../storage/index.ts";

/**
 * Options of `createApp`. All options have defaults. Options passed in code override environment variables.
 *
 * ```ts
 * const app = createApp({ port: 3000, log: { retentionHours: 48 } });
 * ```
 */
export interface AppOptions {
  /** Address to listen on. Default "127.0.0.1", environment SVC_HOST. If only PORT is set, the default is "0.0.0.0". */
  host?: string;
  /** Port to listen on. `0` selects a free port. Default 8090, environment SVC_PORT or PORT. */
  port?: number;
  /** Folder for all stored data. Default "./svc_data", environment SVC_DATA_DIR. */
  dataDir?: string;
  /** PostgreSQL URL ("postgres://…"). Several instances can share one database. Default: SQLite in the data folder. Environment SVC_DATABASE_URL. */
  database?: string;
  /** Timeout of a PostgreSQL query, in milliseconds. Slower queries fail with `503`. Migrations have no timeout. Default 5000, environment SVC_DATABASE_TIMEOUT_MS. */
  databaseTimeoutMs?: number;
  /** Development mode. Default: true unless NODE_ENV is "production". */
  dev?: boolean;
  /** Minimum level of log records. Default "debug" in development, else "info". Environment SVC_LOG_LEVEL. */
  logLevel?: LogLevel;
  /** Log output and storage. */
  log?: LogOptions;
  /** Addresses and networks of proxies whose X-Forwarded-* headers are trusted. Default none, environment SVC_TRUSTED_PROXIES, separated by commas. */
  trustedProxies?: string[];
  /** Size limits and timeouts of the HTTP server. */
  limits?: Partial<ListenerLimits>;
  /** Timing of a graceful shutdown. */
  shutdown?: ShutdownOptions;
  /** Sign-in of superusers. */
  auth?: AuthDurations;
  /** Access events. */
  access?: AccessSettings;
  /** Scheduled jobs. */
  cron?: CronSettings;
  /** Metrics. */
  metrics?: MetricsSettings;
  /** Visitor statistics. */
  visitors?: VisitorsSettings;
  /** Name of this machine or container among the instances. Default: the host's name, environment SVC_INSTANCE. */
  instance?: string;
  /** API versions. Their routes are mounted at startup and documented under /api/docs. Default none. */
  versions?: APIVersionManager;
  /** Folder from which production loads the API documents generated at build time. Default: `specs` beside the entry. Environment SVC_OPENAPI_SPECS_DIR. */
  specsDir?: string;
  /** Whether public documents and spec files contain source locations (`x-source`). Superusers always see them. Default false. Environment SVC_DOCS_SOURCES. */
  docsSources?: boolean;
  /** Migrations of the application's own tables, by name: `{ "001-todos": { up: (db, types) => … } }`. Default none. */
  migrations?: Record<string, Migration>;
  /** Whether SIGINT and SIGTERM stop the application. Default true. */
  signals?: boolean;
}

/** Log output and storage. */
export interface LogOptions {
  /** "stdout", "stderr", a file path or a stream. Default "stdout", environment SVC_LOG_FILE. */
  destination?: string | Writable;
  /** Output format. Default "pretty" if the destination is a terminal, else "json". Environment SVC_LOG_FORMAT. */
  format?: LogFormat;
  /** Additional names of fields, parameters and headers to redact. Authorization, cookies, passwords and tokens are always redacted. Default none. */
  redact?: string[];
  /** Whether log records are also stored in the database, where they can be searched. Default true. */
  store?: boolean;
  /** How long log records are stored. Default 168 (seven days), environment SVC_LOG_RETENTION_HOURS. */
  retentionHours?: number;
  /** Maximum size of the log records in the database, in megabytes. The oldest records are deleted first. Default 1024, environment SVC_LOG_MAX_MB. */
  maxMegabytes?: number;
}

/** Timing of a graceful shutdown. */
export interface ShutdownOptions {
  /** Time that requests in flight have to finish, in milliseconds. Default 10000, environment SVC_SHUTDOWN_GRACE_MS. */
  graceMs?: number;
  /** How long the health endpoint returns "draining" before the port closes, in milliseconds, so that load balancers notice. Default 0, environment SVC_SHUTDOWN_DRAIN_MS. */
  drainMs?: number;
}

/** Options of scheduled jobs. */
export interface CronSettings {
  /** Time zone of all schedules, until it is changed at run time. Default "UTC", environment SVC_CRON_TIMEZONE. */
  timezone?: string;
  /** How long job logs are stored. Default 72, environment SVC_CRON_LOG_RETENTION_HOURS. */
  logRetentionHours?: number;
}

/** Options of the metrics. */
export interface MetricsSettings {
  /** Maximum size of the metrics history, in megabytes. The oldest data is deleted first. Default 256, environment SVC_METRICS_MAX_MB. */
  maxMegabytes?: number;
  /** Token that allows a Prometheus scraper to read `/_/_/metrics`. At least 16 characters. Default none, environment SVC_METRICS_TOKEN. */
  scrapeToken?: string;
}

/** Options of the visitor statistics. */
export interface VisitorsSettings {
  /** Whether page views are counted. Default true, environment SVC_VISITORS. */
  enabled?: boolean;
  /** Whether requests with `DNT: 1` or `Sec-GPC: 1` are excluded. Default false, environment SVC_VISITORS_HONOUR_DNT. */
  honourDoNotTrack?: boolean;
  /** Paths that are counted regardless of the response's content type. `*` matches any characters. Default none. */
  include?: string[];
  /** Paths that are never counted. `*` matches any characters. Default none. */
  exclude?: string[];
}

/** Options of the access events. */
export interface AccessSettings {
  /** How many days access events are stored. Default 90, environment SVC_ACCESS_RETENTION_DAYS. */
  retentionDays?: number;
}

/** Options for the sign-in of superusers. */
export interface AuthDurations {
  /** How long a superuser stays signed in, with a browser session or an API token. Default 168, environment SVC_TOKEN_HOURS. */
  tokenHours?: number;
  /** Addresses and networks from which superusers can sign in and use their sessions and tokens. Default: all. Environment SVC_AUTH_ALLOWED_ADDRESSES, separated by commas. */
  allowedAddresses?: string[];
  /** Minutes after which an unused browser session ends. At least 2. API tokens have no such limit. Default none, environment SVC_AUTH_IDLE_MINUTES. */
  idleMinutes?: number;
}
