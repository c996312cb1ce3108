import { defineFeature, type FeatureEvents, type StoreState } from "../../feature/index.ts";
import { onCrash } from "../../http/index.ts";
import { onProcessExit } from "../../lib/node/process-exit.ts";
import { describeFit } from "../../lib/text/describe-fit.ts";
import { endSentence } from "../../lib/text/sentence.ts";
import { hourMs } from "../../lib/time/units.ts";
import { createLogging } from "./logging.ts";
import { isTerminal, logLevelOptions, logOptions } from "./options.ts";
import { mountLogs } from "./routes.ts";
import { attachLogging, setupLogging } from "./setup.ts";
import { recordStore } from "./store/blocks.ts";
import { type LogStore, maxWaitingBytes } from "./store/log-store.ts";
import { type FileFormat, type FilePage, toFilePage } from "./store/search/file-page.ts";
import type { LogPage, LogQuery } from "./store/search/query.ts";
import { createStoredLogs } from "./stored-logs.ts";

export { type LogLevel, type LogLevelNumber, levels as logLevels } from "./levels.ts";
export type { Logger } from "./logger.ts";
export { createLogging, type Logging, type LoggingOptions, type LogRecording } from "./logging.ts";
/**
 * Structured logging of requests, of the application's lifecycle and of its own messages. Records are written to one
 * destination as JSON lines (in a terminal, as formatted text) and to the store, where they can be searched by time,
 * level, text, trace ID and request fields.
 *
 * ```ts
 * const logging = createLogging({ level: "info", destination: "stdout", format: "json", colors: false });
 * logging.logger.info("Paid", { order: 17 });
 * await logging.close();
 * ```
 */
export type { LogFormat } from "./output/destination.ts";
export { errorWithContext, infoWithContext, setupLogging, setupRecovery } from "./setup.ts";
export type { LogRetention } from "./store/block-writer.ts";
export { logMigrations } from "./store/blocks.ts";
export { createLogStore, type LogStore, type LogStoreStatus } from "./store/log-store.ts";
export type { FieldValue, LogPage, LogQuery, LogRecord } from "./store/search/query.ts";
export type { LogVolume, VolumePoint, VolumeQuery } from "./store/search/volume.ts";

const droppedRecords = `They arrived faster than the database could store them, with ${maxWaitingBytes / 2 ** 20} MiB queued, or the thread that stores them ended. They are in the log's destination, but cannot be searched.`;

/** How long the log store tries to write its records during shutdown while the database is unavailable. */
const lastTryMs = 1_000;

export const logging = defineFeature({
  name: "logging",
  stores: [recordStore],
  conditions: [
    { id: "log", condition: "Log records cannot be stored", degraded: "yes" },
    { id: "lost log_records", condition: "Log records were lost in the last five minutes", degraded: "yes" },
  ],
  options: [logLevelOptions, logOptions],
  create({ app, allowsColors, events, instance, options, redactor, reports, storage, useLogOutput }) {
    const { logLevel: level, destination, format, sample, slowMs } = options.current;
    const colors = allowsColors && isTerminal(destination);
    const logging = createLogging({ level, destination, format, colors, redactor, sample, slowMs });
    const { logger } = logging;
    const stored = createStoredLogs({ storage, instance, options });
    const cleanups: (() => void)[] = [];
    attachLogging(app, logging, events);
    setupLogging(app);
    options.connect("logLevel", {
      get: () => logger.level,
      set(wanted) {
        logger.level = wanted;
      },
    });
    options.onChange("sample", (share) => logging.sampleRequests({ share }));
    options.onChange("slowMs", (slowMs) => logging.sampleRequests({ slowMs }));
    useLogOutput({
      write: logging.line,
      async close() {
        // Records cannot reach an unresponsive database server, so the shutdown does not wait for them.
        await logging.close(storage.isUnavailable() ? lastTryMs : undefined);
        await stored.close();
      },
    });
    reports.storageIssues.add(() => {
      const problem = stored.store?.status().problem;
      return problem === undefined
        ? []
        : [
            {
              id: "log",
              status: "degraded",
              message: `Failed to store log records: ${endSentence(problem)}`,
              link: { page: "config", params: { tab: "storage" } },
            },
          ];
    });
    reports.storeStates.add(() => describeLimit(stored.store, options.current.retentionHours));
    reports.dropped.add({
      name: "log_records",
      title: "Log records",
      about: droppedRecords,
      loss: "log records",
      count: () => stored.store?.status().dropped ?? 0,
    });
    events.on("app.started", (start) => logging.recordStart(describeStart(start)));
    events.on("app.attachFailed", () => {
      logging.continueOnStderr();
      onProcessExit(() => logging.flushSync());
    });
    events.on("app.stopped", ({ isRestart }) => logging.recordStop(isRestart));

    async function search(query: LogQuery = {}): Promise<LogPage> {
      await logging.flush();
      return stored.store?.search(query) ?? { items: [] };
    }

    async function readFile(query: LogQuery, format: FileFormat): Promise<FilePage> {
      await logging.flush();
      return stored.store?.file(query, format) ?? toFilePage({ items: [] }, format);
    }

    return {
      logger,
      search,
      mount: (router) => mountLogs(router, { search, readFile }),
      async open() {
        const store = await stored.open();
        if (store) logging.storeIn(store);
      },
      start() {
        cleanups.push(
          onProcessExit(() => logging.flushSync()),
          onCrash(
            (error, isReported) => (isReported ? logging.flushSync() : logging.writeFatal(error)),
            redactor,
          ),
        );
      },
      close() {
        for (const cleanup of cleanups.splice(0)) cleanup();
      },
    };
  },
});

async function describeLimit(store: LogStore | undefined, hours: number): Promise<StoreState> {
  const { since, removing } = (await store?.limitState()) ?? { since: 0 };
  const fitting = (Date.now() - since) / hourMs;
  const early = fitting < hours ? [`${describeFit(fitting, hours, "hour")} of log records fit`] : undefined;
  return { store: recordStore.name, removing, early };
}

function describeStart({ url, attachedTo }: FeatureEvents["app.started"]): string {
  if (attachedTo !== undefined) return `Attached to ${attachedTo}`;
  return url === undefined
    ? "Worker started: it runs jobs and does not listen"
    : `Server listening at ${url}`;
}
