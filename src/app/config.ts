import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isatty } from "node:tty";
import type { APIVersionManager } from "../docs/index.ts";
import { type ListenerLimits, listenerLimits, type ProxyTrust } from "../http/index.ts";
import { createRedactor, type Redactor } from "../lib/redactor.ts";
import { StartError } from "../lib/start-error.ts";
import type { LoggingOptions, LogRetention } from "../logging/index.ts";
import type { ConfigEntry } from "../settings/index.ts";
import type { Migration } from "../storage/index.ts";
import { type VisitorsOptions, visitorsDefaults } from "../visitors/index.ts";
import { describeOption, inGroups, isSecret, quoteValue } from "./config-sources.ts";
import {
  allowedAddresses,
  boolean,
  databaseUrl,
  destinationOf,
  flag,
  folder,
  listOfPaths,
  listOfText,
  logLevel,
  longToken,
  migrationsOf,
  oneOf,
  type Parse,
  positiveNumber,
  shortName,
  text,
  timezone,
  trustedProxies,
  versionManager,
  wholeNumber,
} from "./option-values.ts";
import type { AppOptions } from "./options.ts";

/** The validated options of an application, with defaults. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly databaseTimeoutMs: number;
  readonly dev: boolean;
  readonly log: LoggingOptions & {
    readonly redactor: Redactor;
    readonly store: boolean;
    readonly retention: LogRetention;
  };
  readonly trust: ProxyTrust | undefined;
  readonly limits: ListenerLimits;
  readonly shutdown: { readonly graceMs: number; readonly drainMs: number };
  readonly tokenTtlMs: number;
  readonly isAllowedAddress: ((address: string) => boolean) | undefined;
  readonly access: { readonly retentionDays: number };
  readonly idleMs: number | undefined;
  readonly cron: { readonly timezone: string; readonly retentionMs: number };
  readonly metrics: { readonly maxBytes: number; readonly scrapeToken: string | undefined };
  readonly visitors: VisitorsOptions;
  readonly instance: string;
  readonly versions: APIVersionManager | undefined;
  readonly specsDir: string;
  readonly docsSources: boolean;
  readonly migrations: Record<string, Migration>;
  readonly signals: boolean;
  /** Every option with its effective value, redacted for display, and the source of that value. */
  readonly entries: readonly ConfigEntry[];
}

type Environment = Record<string, string | undefined>;

/** The environment variables of an option. The first one that is set is used. */
type Variable = string | readonly string[] | undefined;

/** The values of all environment variables. They may be secrets, so API documents must not contain them. */
export function environmentValues(environment: Environment = process.env): string[] {
  return Object.values(environment).filter((value) => value !== undefined);
}

/** Code overrides the environment, which overrides the default. Throws a `StartError` that names an invalid option. */
export function resolveConfig(options: AppOptions = {}, environment: Environment = process.env): Config {
  refuseUnknown(options, optionNames, "");
  refuseUnknown(options.log, logOptionNames, "log.");
  refuseUnknown(options.limits, Object.keys(listenerLimits), "limits.");
  refuseUnknown(options.shutdown, ["graceMs", "drainMs"], "shutdown.");
  refuseUnknown(options.auth, ["tokenHours", "idleMinutes", "allowedAddresses"], "auth.");
  refuseUnknown(options.access, ["retentionDays"], "access.");
  refuseUnknown(options.cron, ["timezone", "logRetentionHours"], "cron.");
  refuseUnknown(options.metrics, ["maxMegabytes", "scrapeToken"], "metrics.");
  refuseUnknown(options.visitors, Object.keys(visitorsDefaults), "visitors.");

  const entries: ConfigEntry[] = [];
  function read<T, D>(name: string, variable: Variable, parse: Parse<T>, fallback: D): T | D {
    const inCode = name
      .split(".")
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], options);
    const variables = typeof variable === "string" ? [variable] : (variable ?? []);
    const set = variables.find((each) => environment[each]);
    const inEnvironment = set && environment[set];
    const given = inCode ?? inEnvironment;
    const source = given === undefined ? "default" : inCode == null ? "environment" : "code";
    const place = source === "code" ? `option "${name}"` : `environment variable ${set}`;
    const value = given === undefined ? fallback : parseGiven(given, parse, place, isSecret(name));
    entries.push(describeOption({ name, variable: set ?? variables[0], source, given, value, fallback }));
    return value;
  }

  const dev = read("dev", undefined, boolean, environment.NODE_ENV !== "production");
  const destination = read("log.destination", "SVC_LOG_FILE", destinationOf, "stdout");
  const isTerminal = destination === "stdout" ? isatty(1) : destination === "stderr" && isatty(2);
  const config = {
    host: read("host", "SVC_HOST", text("an address such as 127.0.0.1"), defaultHost(options, environment)),
    port: read("port", ["SVC_PORT", "PORT"], wholeNumber(0, 65_535), 8090),
    dataDir: read("dataDir", "SVC_DATA_DIR", folder, resolve("./svc_data")),
    database: read("database", "SVC_DATABASE_URL", databaseUrl, undefined),
    databaseTimeoutMs: read(
      "databaseTimeoutMs",
      "SVC_DATABASE_TIMEOUT_MS",
      wholeNumber(100, 3_600_000),
      5_000,
    ),
    dev,
    log: {
      level: read("logLevel", "SVC_LOG_LEVEL", logLevel, dev ? "debug" : "info"),
      destination,
      format: read(
        "log.format",
        "SVC_LOG_FORMAT",
        oneOf(["json", "pretty"] as const),
        isTerminal ? "pretty" : "json",
      ),
      colors: isTerminal && !environment.NO_COLOR,
      redactor: createRedactor(read("log.redact", undefined, listOfText, [])),
      store: read("log.store", undefined, boolean, true),
      retention: {
        maxAgeMs: 3_600_000 * read("log.retentionHours", "SVC_LOG_RETENTION_HOURS", positiveNumber, 168),
        maxBytes: 1_000_000 * read("log.maxMegabytes", "SVC_LOG_MAX_MB", positiveNumber, 1024),
      },
    },
    trust: read("trustedProxies", "SVC_TRUSTED_PROXIES", trustedProxies, undefined),
    limits: readLimits(read),
    shutdown: {
      graceMs: read("shutdown.graceMs", "SVC_SHUTDOWN_GRACE_MS", wholeNumber(0, 3_600_000), 10_000),
      drainMs: read("shutdown.drainMs", "SVC_SHUTDOWN_DRAIN_MS", wholeNumber(0, 3_600_000), 0),
    },
    tokenTtlMs: 3_600_000 * read("auth.tokenHours", "SVC_TOKEN_HOURS", positiveNumber, 168),
    isAllowedAddress: read(
      "auth.allowedAddresses",
      "SVC_AUTH_ALLOWED_ADDRESSES",
      allowedAddresses,
      undefined,
    ),
    access: {
      retentionDays: read("access.retentionDays", "SVC_ACCESS_RETENTION_DAYS", positiveNumber, 90),
    },
    idleMs: inMilliseconds(
      read("auth.idleMinutes", "SVC_AUTH_IDLE_MINUTES", wholeNumber(2, 525_600), undefined),
    ),
    cron: {
      timezone: read("cron.timezone", "SVC_CRON_TIMEZONE", timezone, "UTC"),
      retentionMs: Math.ceil(
        3_600_000 * read("cron.logRetentionHours", "SVC_CRON_LOG_RETENTION_HOURS", positiveNumber, 72),
      ),
    },
    metrics: {
      maxBytes: 1_000_000 * read("metrics.maxMegabytes", "SVC_METRICS_MAX_MB", positiveNumber, 256),
      scrapeToken: read("metrics.scrapeToken", "SVC_METRICS_TOKEN", longToken, undefined),
    },
    visitors: {
      enabled: read("visitors.enabled", "SVC_VISITORS", flag, visitorsDefaults.enabled),
      honourDoNotTrack: read("visitors.honourDoNotTrack", "SVC_VISITORS_HONOUR_DNT", flag, false),
      include: read("visitors.include", undefined, listOfPaths, visitorsDefaults.include),
      exclude: read("visitors.exclude", undefined, listOfPaths, visitorsDefaults.exclude),
    },
    instance: read("instance", "SVC_INSTANCE", shortName, hostname()),
    versions: read("versions", undefined, versionManager, undefined),
    specsDir: read("specsDir", "SVC_OPENAPI_SPECS_DIR", folder, besideEntry("specs")),
    docsSources: read("docsSources", "SVC_DOCS_SOURCES", flag, false),
    migrations: read("migrations", undefined, migrationsOf, {}),
    signals: read("signals", undefined, boolean, true),
  };
  return Object.freeze({ ...config, entries: inGroups(entries) });
}

/** Hosting platforms set PORT and connect to the container from outside. */
function defaultHost(options: AppOptions, { SVC_PORT, PORT }: Environment): string {
  return PORT && !SVC_PORT && options.port === undefined ? "0.0.0.0" : "127.0.0.1";
}

function inMilliseconds(minutes: number | undefined): number | undefined {
  return minutes === undefined ? undefined : minutes * 60_000;
}

function parseGiven<T>(given: unknown, parse: Parse<T>, place: string, isHidden: boolean): T {
  try {
    return parse(given);
  } catch (error) {
    const got = isHidden ? "" : `, got ${quoteValue(given)}`;
    throw new StartError(
      "INVALID_OPTION",
      `Invalid value for ${place}: expected ${(error as Error).message}${got}.`,
    );
  }
}

const optionNames = [
  "host",
  "port",
  "dataDir",
  "database",
  "databaseTimeoutMs",
  "dev",
  "logLevel",
  "log",
  "trustedProxies",
  "limits",
  "shutdown",
  "auth",
  "access",
  "cron",
  "metrics",
  "visitors",
  "instance",
  "versions",
  "specsDir",
  "docsSources",
  "migrations",
  "signals",
] as const satisfies (keyof AppOptions)[];

const logOptionNames = ["destination", "format", "redact", "store", "retentionHours", "maxMegabytes"];

/** A misspelt option would otherwise be ignored silently. */
function refuseUnknown(given: unknown, known: readonly string[], prefix: string): void {
  if (given === undefined) return;
  if (typeof given !== "object" || given === null) {
    const problem =
      prefix === ""
        ? "createApp expects an options object"
        : `Invalid value for option "${prefix.slice(0, -1)}": expected an object`;
    throw new StartError("INVALID_OPTION", `${problem}, got ${quoteValue(given)}.`);
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const names = known.map((each) => prefix + each).join(", ");
    throw new StartError("INVALID_OPTION", `Unknown option "${prefix}${name}". Valid options are ${names}.`);
  }
}

function readLimits(
  read: <T, D>(name: string, variable: undefined, parse: Parse<T>, fallback: D) => T | D,
): ListenerLimits {
  const limits = Object.entries(listenerLimits).map(([name, fallback]) => [
    name,
    read(`limits.${name}`, undefined, wholeNumber(1, Number.MAX_SAFE_INTEGER), fallback),
  ]);
  return Object.fromEntries(limits) as ListenerLimits;
}

/** A folder beside the entry file. */
function besideEntry(name: string): string {
  return resolve(join(dirname(process.argv[1] ?? "."), name));
}
