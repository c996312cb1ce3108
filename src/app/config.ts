import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isatty } from "node:tty";
import { parseTimezone } from "../cron/index.ts";
import { APIVersionManager } from "../docs/index.ts";
import { type ListenerLimits, listenerLimits, type ProxyTrust, parseTrustedProxies } from "../http/index.ts";
import { StartError } from "../lib/start-error.ts";
import {
  isLogLevel,
  type LoggingOptions,
  type LogLevel,
  type LogRetention,
  levelNames,
} from "../logging/index.ts";
import type { Migration } from "../storage/index.ts";
import { type VisitorsOptions, visitorsDefaults } from "../visitors/index.ts";
import type { AppOptions } from "./options.ts";

/** The options of one application, checked and complete. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly dev: boolean;
  readonly log: LoggingOptions & { readonly store: boolean; readonly retention: LogRetention };
  readonly trust: ProxyTrust | undefined;
  readonly limits: ListenerLimits;
  readonly shutdown: { readonly graceMs: number; readonly drainMs: number };
  readonly tokenTtlMs: number;
  readonly cron: { readonly timezone: string; readonly retentionMs: number };
  readonly metrics: { readonly maxBytes: number; readonly scrapeToken: string | undefined };
  readonly visitors: VisitorsOptions;
  readonly instance: string;
  readonly versions: APIVersionManager | undefined;
  readonly specsDir: string;
  readonly docsSources: boolean;
  readonly migrations: Record<string, Migration>;
  readonly signals: boolean;
}

type Environment = Record<string, string | undefined>;

/** Reads and checks a value; an error's message says what would be right. */
type Parse<T> = (value: unknown) => T;

/** Code wins over the environment, which wins over the default. A wrong value is refused by its name. */
export function resolveConfig(options: AppOptions = {}, environment: Environment = process.env): Config {
  refuseUnknown(options, optionNames, "");
  refuseUnknown(options.log, logOptionNames, "log.");
  refuseUnknown(options.limits, Object.keys(listenerLimits), "limits.");
  refuseUnknown(options.shutdown, ["graceMs", "drainMs"], "shutdown.");
  refuseUnknown(options.auth, ["tokenHours"], "auth.");
  refuseUnknown(options.cron, ["timezone", "logRetentionHours"], "cron.");
  refuseUnknown(options.metrics, ["maxMegabytes", "scrapeToken"], "metrics.");
  refuseUnknown(options.visitors, Object.keys(visitorsDefaults), "visitors.");

  function read<T, D>(name: string, variable: string | undefined, parse: Parse<T>, fallback: D): T | D {
    const given = name
      .split(".")
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], options);
    const fromEnvironment = variable === undefined ? undefined : environment[variable];
    const value = given ?? (fromEnvironment === "" ? undefined : fromEnvironment);
    if (value === undefined) return fallback;
    try {
      return parse(value);
    } catch (error) {
      const place = given === undefined ? `The environment variable ${variable}` : `The option "${name}"`;
      throw new StartError(
        "INVALID_OPTION",
        `${place} is ${name.endsWith("Token") ? "not fit" : show(value)}, but must be ${(error as Error).message}.`,
      );
    }
  }

  const dev = read("dev", undefined, boolean, environment.NODE_ENV !== "production");
  const destination = read("log.destination", "SVC_LOG_FILE", destinationOf, "stdout");
  const isTerminal = destination === "stdout" ? isatty(1) : destination === "stderr" && isatty(2);
  return Object.freeze({
    host: read("host", "SVC_HOST", text("an address such as 127.0.0.1"), "127.0.0.1"),
    port: read("port", "SVC_PORT", wholeNumber(0, 65_535), 8090),
    dataDir: resolve(read("dataDir", "SVC_DATA_DIR", text("the path of a folder"), "./svc_data")),
    database: read("database", "SVC_DATABASE_URL", databaseUrl, undefined),
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
      redact: read("log.redact", undefined, listOfText, []),
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
    specsDir: resolve(
      read("specsDir", "SVC_OPENAPI_SPECS_DIR", text("the path of a folder"), besideEntry("specs")),
    ),
    docsSources: read("docsSources", "SVC_DOCS_SOURCES", flag, true),
    migrations: read("migrations", undefined, migrationsOf, {}),
    signals: read("signals", undefined, boolean, true),
  });
}

const optionNames = [
  "host",
  "port",
  "dataDir",
  "database",
  "dev",
  "logLevel",
  "log",
  "trustedProxies",
  "limits",
  "shutdown",
  "auth",
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

/** A misspelt option would otherwise be ignored without a word. */
function refuseUnknown(given: unknown, known: readonly string[], prefix: string): void {
  if (given === undefined) return;
  if (typeof given !== "object" || given === null) {
    const place = prefix === "" ? "What createApp takes" : `The option "${prefix.slice(0, -1)}"`;
    throw new StartError("INVALID_OPTION", `${place} is ${show(given)}, but must be an object.`);
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const names = known.map((each) => prefix + each).join(", ");
    throw new StartError(
      "INVALID_OPTION",
      `There is no option "${prefix}${name}"; the options are ${names}.`,
    );
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

const text =
  (what: string): Parse<string> =>
  (value) => {
    if (typeof value === "string" && value.trim() !== "") return value;
    throw new Error(what);
  };

const shortName: Parse<string> = (value) => {
  if (typeof value === "string" && /^[\x21-\x7e]{1,100}$/.test(value)) return value;
  throw new Error("a name of up to 100 letters, digits and signs without spaces");
};

/** Short ones can be guessed, and there is no account behind it that could be locked. */
const longToken: Parse<string> = (value) => {
  if (typeof value === "string" && /^[\x21-\x7e]{16,}$/.test(value)) return value;
  throw new Error("at least 16 letters, digits and signs without spaces");
};

const wholeNumber =
  (least: number, most: number): Parse<number> =>
  (value) => {
    const number = numberOf(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new Error(`a whole number from ${least} to ${most}`);
  };

const positiveNumber: Parse<number> = (value) => {
  const number = numberOf(value);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error("a number above 0");
};

/** Numbers arrive from the environment as text. */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

const boolean: Parse<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  throw new Error("true or false");
};

/** As `boolean`, also in the words of the environment. */
const flag: Parse<boolean> = (value) => {
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : boolean(value);
};

const oneOf =
  <T extends string>(allowed: readonly T[]): Parse<T> =>
  (value) => {
    if (allowed.includes(value as T)) return value as T;
    throw new Error(`one of ${allowed.join(", ")}`);
  };

const logLevel: Parse<LogLevel> = (value) => {
  if (isLogLevel(value)) return value;
  throw new Error(`one of ${levelNames.join(", ")}`);
};

const listOfText: Parse<string[]> = (value) => {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new Error("a list of names");
};

const listOfPaths: Parse<string[]> = (value) => {
  if (Array.isArray(value) && value.every((item) => typeof item === "string" && /^[/*]/.test(item)))
    return value;
  throw new Error("a list of paths such as /blog/*");
};

const destinationOf: Parse<LoggingOptions["destination"]> = (value) => {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "object" && value !== null && "write" in value)
    return value as LoggingOptions["destination"];
  throw new Error('"stdout", "stderr", the path of a file, or a stream');
};

const databaseUrl: Parse<string> = (value) => {
  if (typeof value === "string" && /^postgres(ql)?:\/\//.test(value)) return value;
  throw new Error("an address that begins with postgres://");
};

const trustedProxies: Parse<ProxyTrust | undefined> = (value) => {
  const entries = typeof value === "string" ? value.split(",").map((entry) => entry.trim()) : value;
  if (!Array.isArray(entries)) throw new Error("a list of addresses and networks such as 10.0.0.0/8");
  try {
    return parseTrustedProxies(entries);
  } catch (error) {
    throw new Error(`a list of addresses and networks, and ${(error as Error).message}`);
  }
};

const timezone: Parse<string> = (value) => {
  try {
    return parseTimezone(value).name;
  } catch {
    throw new Error("the IANA name of a timezone, such as Europe/Berlin or UTC");
  }
};

/** A folder beside the file that was given to Node. */
function besideEntry(name: string): string {
  return join(dirname(process.argv[1] ?? "."), name);
}

const versionManager: Parse<APIVersionManager> = (value) => {
  if (value instanceof APIVersionManager) return value;
  throw new Error("an APIVersionManager");
};

const migrationsOf: Parse<Record<string, Migration>> = (value) => {
  const isMigration = (entry: unknown) => typeof (entry as Migration | null)?.up === "function";
  if (typeof value === "object" && value !== null && Object.values(value).every(isMigration)) {
    return value as Record<string, Migration>;
  }
  throw new Error("an object of migrations by name, each with a function up");
};

/** The value as a message shows it, without the password of a database address. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.replace(/\/\/[^@/]*@/, "//…@"));
  return typeof value === "object" ? (JSON.stringify(value) ?? String(value)) : String(value);
}
