import { pino } from "pino";
import { traceContext } from "../lib/trace-context.ts";
import { type LogLevel, levels } from "./levels.ts";
import type { ToPlain } from "./plain-data.ts";

/** The application's logger. A line written while a request is handled carries that request's trace ID by itself. */
export interface Logger {
  /** What is less severe than this is not written; may be changed at any time. */
  level: LogLevel;
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
}

/** Writes one record; the logger is made of these, and so are the records that have a shape of their own. */
export interface RecordWriter {
  level: LogLevel;
  /** The number of that level; asked for every request. */
  readonly threshold: number;
  /** Fields beyond time, level and msg, in order. They are written as they are. */
  write(level: LogLevel, message: string, fields: object): void;
}

/** A line longer than this is kept as its message alone. */
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
    write(at, message, fields) {
      severity = levels[at];
      output[at](bounded(message, fields), message.slice(0, maxLineLength));
    },
  };
}

function bounded(message: string, fields: object): object {
  const size = JSON.stringify(fields).length;
  if (size + message.length <= maxLineLength) return fields;
  const { event, trace_id } = fields as Record<string, unknown>;
  return { event, trace_id, truncated: `${size} characters of data were left out` };
}

export interface LoggerOptions {
  writer: RecordWriter;
  toPlain: ToPlain;
  /** On every line of the application: the process ID and when it started. */
  common: object;
}

/** Writes a line of the application; the trace ID is the current request's unless one is given. */
export type LogLine = (level: LogLevel, message: string, data?: object, traceId?: string) => void;

export function createLogLine({ writer, toPlain, common }: LoggerOptions): LogLine {
  return (level, message, data = {}, traceId = traceContext.getStore()?.traceId) => {
    if (levels[level] < writer.threshold) return;
    const trace = traceId === undefined ? undefined : { trace_id: traceId };
    writer.write(level, String(message), { event: "log", ...common, ...trace, ...toPlain(data) });
  };
}

export function createLogger(writer: RecordWriter, line: LogLine): Logger {
  return {
    get level() {
      return writer.level;
    },
    set level(value) {
      writer.level = value;
    },
    debug: (message, data) => line("debug", message, data),
    info: (message, data) => line("info", message, data),
    warn: (message, data) => line("warn", message, data),
    error: (message, data) => line("error", message, data),
  };
}
