import { pino } from "pino";
import { readError } from "../../lib/redaction/error-text.ts";
import type { Redactor } from "../../lib/redaction/redactor.ts";
import { cut, isError, toText } from "../../lib/thrown.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { demandLevel, type LogLevel, type LogLevelNumber, levels } from "./levels.ts";
import type { ToFields } from "./record-fields.ts";

/**
 * The application's logger. Records written while a request is handled contain its trace ID.
 *
 * ```ts
 * app.logger.info("Order paid", { order: 17 });
 * app.logger.error("Failed to send the invoice", { error });
 * ```
 */
export interface Logger {
  /** Minimum level; less severe records are not written. Can be changed at any time, also to a number. */
  get level(): LogLevel;
  set level(level: LogLevel | LogLevelNumber);
  /** For details that help during development. */
  debug(message: string, data?: object): void;
  /** For normal events. */
  info(message: string, data?: object): void;
  /** For problems that the application handled. */
  warn(message: string, data?: object): void;
  /** For failures. Pass the error as `data.error` to log its stack and causes. */
  error(message: string, data?: object): void;
}

/** Writes single records. The logger and the records with their own format are built on it. */
export interface RecordWriter {
  level: LogLevel;
  /** Numeric value of `level`; read on every request. */
  readonly threshold: number;
  /**
   * Writes `fields` unchanged after time, level and msg. `size` is an upper limit for their number of characters, which
   * avoids measuring them.
   */
  write(level: LogLevel, message: string, fields: object, size?: number): void;
}

/** Longer records are reduced to their message. */
const maxLineLength = 16_384;

export function createRecordWriter(
  level: LogLevel,
  writeLine: (line: string, level: number, time: number) => void,
): RecordWriter {
  let severity = 0;
  let time = 0;
  let threshold: number = levels[level];
  const output = pino(
    {
      level,
      customLevels: levels,
      useOnlyCustomLevels: true,
      base: null,
      messageKey: "msg",
      timestamp() {
        time = Date.now();
        return `,"time":"${new Date(time).toISOString()}"`;
      },
      formatters: { level: (label) => ({ level: label.toUpperCase() }) },
      // Errors are already plain data. By default, pino would convert a field of this name again.
      serializers: { err: (value: unknown) => value },
    },
    { write: (line: string) => writeLine(line, severity, time) },
  );
  return {
    get level() {
      return output.level as LogLevel;
    },
    set level(value) {
      output.level = value;
      threshold = levels[value];
    },
    get threshold() {
      return threshold;
    },
    write(at, message, fields, size) {
      severity = levels[at];
      output[at](bounded(message, fields, size), message.slice(0, maxLineLength));
    },
  };
}

/** A control character in JSON: `\u001b`. */
const longestEscape = 6;

function bounded(message: string, fields: object, atMost?: number): object {
  if (atMost !== undefined && (atMost + message.length) * longestEscape <= maxLineLength) return fields;
  const size = JSON.stringify(fields).length;
  if (size + message.length <= maxLineLength) return fields;
  const { event, trace_id, error } = fields as Record<string, unknown>;
  return {
    event,
    trace_id,
    ...(error !== undefined && { error: summarize(error) }),
    truncated: `${size} characters of data omitted`,
  };
}

/** Shortens an error that is too long to its name and message. */
function summarize(error: unknown): unknown {
  const { name, message } = error as { name?: unknown; message?: unknown };
  return { name: toText(name).slice(0, 100), message: toText(message).slice(0, 500) };
}

export interface LoggerOptions {
  writer: RecordWriter;
  redactor: Redactor;
  toFields: ToFields;
  /** Fields of every application record: process ID and start time. */
  common: object;
  /** Called with the trace ID of each warning and error. */
  noteProblem(traceId: string): void;
}

/** Writes an application record. Uses the trace ID of the current request unless one is given. Never throws. */
export type LogLine = (level: LogLevel, message: string, data?: object, traceId?: string) => void;

export function createLogLine({ writer, redactor, toFields, common, noteProblem }: LoggerOptions): LogLine {
  function write(level: LogLevel, message: string, data: unknown, traceId: string | undefined): void {
    const trace = traceId === undefined ? undefined : { trace_id: traceId };
    const { fields, size } = toFields(data);
    const record = { event: "log", ...common, ...trace, ...fields };
    writer.write(level, redactor.text(cut(toText(message), maxLineLength)), record, size + commonSize);
  }

  return (level, message, data, traceId = traceContext.getStore()?.traceId) => {
    if (levels[level] < writer.threshold) return;
    if (levels[level] >= levels.warn && traceId !== undefined) noteProblem(traceId);
    try {
      write(level, message, data, traceId);
    } catch (problem) {
      writer.write("error", "Failed to write a log record", {
        event: "error",
        ...common,
        error: describe(problem),
      });
    }
  };
}

/** Process ID, two times and a trace ID. */
const commonSize = 200;

function describe(problem: unknown): object {
  const { type, message } = isError(problem)
    ? readError(problem, { message: 500, stack: 0 })
    : { type: typeof problem, message: toText(problem).slice(0, 500) };
  return { name: type, message };
}

export function createLogger(writer: RecordWriter, line: LogLine): Logger {
  return {
    get level() {
      return writer.level;
    },
    set level(value) {
      writer.level = demandLevel(value);
    },
    debug: (message, data) => line("debug", message, data),
    info: (message, data) => line("info", message, data),
    warn: (message, data) => line("warn", message, data),
    error: (message, data) => line("error", message, data),
  };
}
