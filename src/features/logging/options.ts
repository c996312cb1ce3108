import type { Writable } from "node:stream";
import { isatty } from "node:tty";
import { option } from "../../lib/options/option.ts";
import { defineFlatOptions, defineGroup, defineOptions } from "../../lib/options/option-set.ts";
import { type LogLevel, type LogLevelNumber, levelNames, parseLevel } from "./levels.ts";

const formats = ["json", "pretty"] as const;

function parseDestination(value: unknown): string | Writable {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "object" && value !== null && "write" in value) return value as Writable;
  throw new Error('"stdout", "stderr", the path of a file, or a stream');
}

const leastShare = 0.0001;

function parseShare(value: unknown): number {
  const share = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof share === "number" && share >= leastShare && share <= 1) return share;
  throw new Error(`a number from ${leastShare} to 1`);
}

/** Whether records are written to a terminal. */
export function isTerminal(destination: unknown): boolean {
  return destination === "stdout" ? isatty(1) : destination === "stderr" && isatty(2);
}

const group = defineGroup({ name: "log", title: "Logging", about: "Log output and storage.", order: 30 });

export const logLevelOptions = defineFlatOptions(group, {
  logLevel: option.custom<LogLevel, LogLevel | LogLevelNumber>({
    parse: parseLevel,
    type: "LogLevel | LogLevelNumber",
    env: "SVC_LOG_LEVEL",
    defaultFrom: ({ value }) => (value("dev") ? "debug" : "info"),
    defaultText: "`debug` in development, else `info`",
    runtime: { kind: "choice", options: levelNames },
    effect: {
      kind: "choice",
      values: {
        debug: "Everything is logged, including every request.",
        info: "Debug records and individual requests are not logged.",
        warn: "Only warnings and errors are logged; individual requests are not.",
        error: "Only errors are logged; individual requests are not.",
      },
      leaving: {
        debug: "New requests can no longer be searched individually; counts and durations are still stored.",
      },
    },
    about: "Minimum level of log records. Requests are logged at `debug`.",
    more: "One of `debug`, `info`, `warn` and `error`, or its number: `-4`, `0`, `4` or `8`.",
  }),
});

/** Log output and storage. */
export const logOptions = defineOptions(group, {
  destination: option.custom<string | Writable>({
    type: "string | Writable",
    parse: parseDestination,
    env: "SVC_LOG_FILE",
    default: "stdout",
    about: "Where records are written: `stdout`, `stderr`, a file path or a stream.",
  }),
  format: option.oneOf(formats, {
    type: "LogFormat",
    env: "SVC_LOG_FORMAT",
    defaultFrom: ({ value }) => (isTerminal(value("log.destination")) ? "pretty" : "json"),
    defaultText: "`pretty` in a terminal, else `json`",
    about: "Output format: `json`, or `pretty` for reading in a terminal.",
  }),
  redact: option.names({
    default: [],
    about: "Additional names of fields, parameters and headers to redact in the log and on the dashboard.",
    more: "See [Secrets](logging.md#secrets).",
  }),
  errorFields: option.names({
    default: [],
    about: "Additional fields of errors to log.",
    more: "See [Fields of errors](logging.md#fields-of-errors).",
  }),
  sample: option.custom<number>({
    type: "number",
    parse: parseShare,
    env: "SVC_LOG_SAMPLE",
    default: 1,
    runtime: { kind: "number", unit: "", least: leastShare, most: 1 },
    effect: {
      kind: "share",
      all: "All requests are logged from now on, if the level is debug.",
      some: "From now on, %s of successful, fast requests are logged. Failed and slow ones still are, and metrics count all.",
    },
    about: "Share of successful, fast requests that is logged, such as `0.1`. All others are always logged.",
    more: "See [Sampling](logging.md#sampling).",
  }),
  slowMs: option.number({
    env: "SVC_LOG_SLOW_MS",
    default: 1_000,
    runtime: { unit: "milliseconds", min: 1, max: 3_600_000 },
    about: "Requests that take at least this many milliseconds are logged, whatever `log.sample` is.",
  }),
  store: option.flag({
    default: true,
    about: "Whether log records are also stored in the database, where they can be searched.",
  }),
  retentionHours: option.number({
    env: "SVC_LOG_RETENTION_HOURS",
    default: 168,
    runtime: { unit: "hours", min: 1, max: 87_600 },
    effect: { kind: "age", data: "log records", when: "within a minute" },
    about: "How long log records are stored.",
  }),
  maxMegabytes: option.number({
    env: "SVC_LOG_MAX_MB",
    default: 1024,
    runtime: { unit: "megabytes", min: 1, max: 1_000_000 },
    effect: { kind: "size", data: "log records", store: "logs", when: "within a minute" },
    about: "Maximum size of the log records in the database, in megabytes. The oldest are deleted first.",
  }),
});
