import type { Writable } from "node:stream";
import type { Events } from "../../feature/index.ts";
import type { FailedRequest, FinishedRequest } from "../../http/index.ts";
import { readThrown } from "../../lib/redaction/error-fields.ts";
import { defaultRedactor, type Redactor } from "../../lib/redaction/redactor.ts";
import { cut } from "../../lib/thrown.ts";
import { formatUptime } from "../../lib/time/duration.ts";
import type { LogLevel } from "./levels.ts";
import { levels } from "./levels.ts";
import { createLogger, createLogLine, createRecordWriter, type Logger, type LogLine } from "./logger.ts";
import { isTerminal } from "./options.ts";
import { type LogFormat, openDestination } from "./output/destination.ts";
import { createRequestSample, type RequestSample } from "./output/request-sample.ts";
import { Sink } from "./output/sink.ts";
import { createToFields } from "./record-fields.ts";
import { createRequestRecord } from "./request-record.ts";
import type { LogStore } from "./store/log-store.ts";
import { emptyVolume, type LogVolume, type VolumeQuery } from "./store/search/volume.ts";

export interface LoggingOptions {
  level: LogLevel;
  /** `"stdout"`, `"stderr"`, a file path, or a stream. */
  destination: string | Writable;
  format: LogFormat;
  colors: boolean;
  /** Redacts all records. Default: the names that are always redacted. */
  redactor?: Redactor;
  /** Share of successful, fast requests that is logged. Default: all. */
  sample?: number;
  /** Requests that take at least this long, in milliseconds, are always logged. Default 1000. */
  slowMs?: number;
}

/** What is currently logged, and whether it can be searched. */
export interface LogRecording {
  readonly level: LogLevel;
  /** Whether requests are logged. */
  readonly requests: boolean;
  /** Share of successful, fast requests that is logged: 1 for all. */
  readonly sample: number;
  /** Whether records are stored. */
  readonly stored: boolean;
}

/** The logging of one application. */
export interface Logging {
  readonly logger: Logger;
  readonly line: LogLine;
  /** Writes an error record. The data can contain more fields. */
  recordError(message: string, error: unknown, data?: object, traceId?: string): void;
  /** Changes which requests are logged. */
  sampleRequests(changed: Partial<Pick<RequestSample, "share" | "slowMs">>): void;
  /** Starts logging requests and failures. Idempotent. */
  observe(events: Pick<Events, "on">): void;
  /** Also writes records to the store from now on. */
  storeIn(store: LogStore): void;
  recording(): LogRecording;
  /** Number of stored records by time and level. */
  volume(query: VolumeQuery): Promise<LogVolume>;
  recordStart(message: string): void;
  recordStop(isRestart: boolean): void;
  flush(): Promise<void>;
  /** Writes buffered records synchronously, before the process exits. */
  flushSync(): void;
  /** Logs the fatal error and calls `flushSync`. */
  writeFatal(error: unknown): void;
  /** Writes all records. Limits the time for the store to `withinMs`, if given. */
  close(withinMs?: number): Promise<void>;
  /** After `close`: writes further records to standard error, until the process exits. */
  continueOnStderr(): void;
}

/** Longer paths are cut before they are redacted, so that redaction takes a limited time. */
const longestPath = 8_192;

export function createLogging({
  level,
  destination,
  format,
  colors,
  redactor = defaultRedactor,
  sample: share = 1,
  slowMs = 1_000,
}: LoggingOptions): Logging {
  const startedAt = Date.now();
  const sink = new Sink({
    destination: openDestination({ target: destination, format, colors }),
    // In a terminal, records should appear without a noticeable delay.
    maxDelayMs: format === "pretty" ? 10 : 250,
  });
  const writer = createRecordWriter(level, (line, severity, time) => sink.write(line, severity, time));
  const common = { pid: process.pid, start_time: new Date(startedAt).toISOString() };
  const sample = createRequestSample(share, slowMs);
  const noteProblem = (traceId: string) => sample.noteProblem(traceId);
  const line = createLogLine({ writer, redactor, toFields: createToFields(redactor), common, noteProblem });
  const writeRequest = createRequestRecord(sink, redactor, sample);
  const { recordRequest, recordError } = createErrorRecords(line, redactor);
  const observed = new WeakSet<object>();
  let store: LogStore | undefined;
  let requests = 0;
  let requestMs = 0;

  function finished(request: FinishedRequest): void {
    requests++;
    requestMs += request.durationMs;
    if (writesRequests()) writeRequest(request);
  }

  function writesRequests(): boolean {
    return writer.threshold <= levels.debug;
  }

  async function flush(): Promise<void> {
    await sink.flush();
    await store?.flush();
  }

  return {
    logger: createLogger(writer, line),
    line,
    recordError,
    sampleRequests: (changed) => void Object.assign(sample, changed),
    observe(events) {
      if (observed.has(events)) return;
      observed.add(events);
      events.on("request.finished", finished);
      events.on("request.failed", recordRequest("error"));
      events.on("request.warned", recordRequest("warn"));
    },
    storeIn(target) {
      store = target;
      sink.onBlock = (block) => target.append(block);
    },
    recording: () => ({
      level: writer.level,
      requests: writesRequests(),
      sample: sample.share,
      stored: store !== undefined,
    }),
    async volume(query) {
      await flush();
      return store?.volume(query) ?? emptyVolume(query);
    },
    recordStart: (message) => writer.write("info", message, { event: "app_startup", ...common }),
    recordStop: (isRestart) =>
      writer.write("info", isRestart ? "Application restarting" : "Application stopped", {
        event: "app_shutdown",
        is_restart: isRestart,
        uptime: formatUptime(Date.now() - startedAt),
        total_requests: requests,
        avg_request_time_ms: requests === 0 ? 0 : Number((requestMs / requests).toFixed(3)),
      }),
    flush,
    flushSync: () => sink.flushSync(),
    writeFatal(error) {
      recordError("Uncaught error; the process exits", error);
      sink.flushSync();
    },
    async close(withinMs) {
      await sink.close();
      await store?.close(withinMs);
    },
    continueOnStderr() {
      store = undefined;
      sink.continueOn(openDestination({ target: "stderr", format, colors: colors && isTerminal("stderr") }));
    },
  };
}

/** Writes what was thrown, in requests and elsewhere. */
function createErrorRecords(line: Logging["line"], redactor: Redactor) {
  function recordThrown(
    level: "error" | "warn",
    message: string,
    thrown: unknown,
    data: object | undefined,
    traceId: string | undefined,
  ): void {
    const error = readThrown(thrown, redactor.errorFields);
    line(level, message, { ...data, event: "error", error }, traceId);
  }

  return {
    recordRequest:
      (level: "error" | "warn") =>
      ({ error, traceId, method, path, route, message }: FailedRequest): void => {
        const shownPath = redactor.path(cut(path, longestPath), route?.pattern.text);
        recordThrown(level, message, error, { method, path: shownPath }, traceId);
      },
    recordError(message: string, thrown: unknown, data?: object, traceId?: string): void {
      recordThrown("error", message, thrown, data, traceId);
    },
  };
}
