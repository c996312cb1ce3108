import type { Writable } from "node:stream";
import type { APIVersionManager } from "../docs/index.ts";
import type { ListenerLimits } from "../http/index.ts";
import type { LogFormat, LogLevel } from "../logging/index.ts";
import type { Migration } from "../storage/index.ts";

/** What `createApp` takes. Everything has a default; what is not given in code is taken from the environment. */
export interface AppOptions {
  /** The address to listen on. Default "127.0.0.1", environment SVC_HOST. */
  host?: string;
  /** The port to listen on; 0 picks a free one. Default 8090, environment SVC_PORT or PORT. */
  port?: number;
  /** The folder for everything that is kept. Default "./svc_data", environment SVC_DATA_DIR. */
  dataDir?: string;
  /** "postgres://…" for a fleet. Default: SQLite in the data folder. Environment SVC_DATABASE_URL. */
  database?: string;
  /** How long a PostgreSQL query may take, in milliseconds. Requests that wait longer get `503`. Migrations have no limit. Default 5000, environment SVC_DATABASE_TIMEOUT_MS. */
  databaseTimeoutMs?: number;
  /** Development. Default: NODE_ENV is not "production". */
  dev?: boolean;
  /** Default "debug" in development, else "info". Environment SVC_LOG_LEVEL. */
  logLevel?: LogLevel;
  log?: LogOptions;
  /** Proxies whose X-Forwarded-* headers are believed: addresses and networks. Default none, environment SVC_TRUSTED_PROXIES, separated by commas. */
  trustedProxies?: string[];
  /** Limits of the listener. */
  limits?: Partial<ListenerLimits>;
  shutdown?: ShutdownOptions;
  auth?: AuthDurations;
  access?: AccessSettings;
  cron?: CronSettings;
  metrics?: MetricsSettings;
  visitors?: VisitorsSettings;
  /** The name under which this machine or container is known among the instances. Default: the host's name, environment SVC_INSTANCE. */
  instance?: string;
  /** The versions of the API: shown under /api/docs, and their routes mounted at the start. Default none. */
  versions?: APIVersionManager;
  /** Where production finds the documents that were made at build time. Default: the folder specs beside the entry. Environment SVC_OPENAPI_SPECS_DIR. */
  specsDir?: string;
  /** Whether public documents and spec files contain source locations (`x-source`). Superusers see them in any case. Default false. Environment SVC_DOCS_SOURCES. */
  docsSources?: boolean;
  /** Migrations of the application's own tables, by name: `{ "001-todos": { up: (db, types) => … } }`. Default none. */
  migrations?: Record<string, Migration>;
  /** Whether SIGINT and SIGTERM stop the application. Default true. */
  signals?: boolean;
}

export interface LogOptions {
  /** "stdout", "stderr", a file's path or a stream. Default "stdout", environment SVC_LOG_FILE. */
  destination?: string | Writable;
  /** Default "pretty" when the destination is a terminal, else "json". Environment SVC_LOG_FORMAT. */
  format?: LogFormat;
  /** Names of fields whose values are covered, besides authorization, cookies, passwords and tokens. Default none. */
  redact?: string[];
  /** Whether records are also kept in the database, where they can be searched. Default true. */
  store?: boolean;
  /** How long they are kept there. Default 168 (seven days), environment SVC_LOG_RETENTION_HOURS. */
  retentionHours?: number;
  /** How large they may grow there, in megabytes, before the oldest go. Default 1024, environment SVC_LOG_MAX_MB. */
  maxMegabytes?: number;
}

export interface ShutdownOptions {
  /** How long requests in flight may take to end. Default 10000, environment SVC_SHUTDOWN_GRACE_MS. */
  graceMs?: number;
  /** How long the health endpoint says "draining" before the listener closes, for a load balancer to notice. Default 0, environment SVC_SHUTDOWN_DRAIN_MS. */
  drainMs?: number;
}

export interface CronSettings {
  /** The zone of all schedules, until another one is chosen at run time. Default "UTC", environment SVC_CRON_TIMEZONE. */
  timezone?: string;
  /** How long the logs of jobs are kept. Default 72, environment SVC_CRON_LOG_RETENTION_HOURS. */
  logRetentionHours?: number;
}

export interface MetricsSettings {
  /** How large the history of figures may grow, in megabytes, before the oldest go. Default 256, environment SVC_METRICS_MAX_MB. */
  maxMegabytes?: number;
  /** A word with which a scraper may read /_/_/metrics without being a superuser. Default none, environment SVC_METRICS_TOKEN. */
  scrapeToken?: string;
}

export interface VisitorsSettings {
  /** Whether views of the application's pages are counted. Default true, environment SVC_VISITORS. */
  enabled?: boolean;
  /** Whether requests with DNT: 1 or Sec-GPC: 1 are left out. Default false, environment SVC_VISITORS_HONOUR_DNT. */
  honourDoNotTrack?: boolean;
  /** Paths that count whatever the content type of their answer; `*` stands for any run of letters. Default none. */
  include?: string[];
  /** Paths that never count. Default none. */
  exclude?: string[];
}

export interface AccessSettings {
  /** How many days access events are stored. Default 90, environment SVC_ACCESS_RETENTION_DAYS. */
  retentionDays?: number;
}

export interface AuthDurations {
  /** How long a superuser stays signed in, by token or by browser. Default 168 hours, environment SVC_TOKEN_HOURS. */
  tokenHours?: number;
  /** Addresses and networks from which superusers may sign in and use their sessions and tokens. Default: all. Environment SVC_AUTH_ALLOWED_ADDRESSES, separated by commas. */
  allowedAddresses?: string[];
  /** How many minutes a browser session may be unused before it ends; from 2 upwards. API tokens have no such limit. Default none, environment SVC_AUTH_IDLE_MINUTES. */
  idleMinutes?: number;
}
