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
export type { LogFormat } from "./destination.ts";
export { isLogLevel, type LogLevel, levelNames, levels } from "./levels.ts";
export type { Logger } from "./logger.ts";
export { createLogging, type Logging, type LoggingOptions, type LogRecording } from "./logging.ts";
export { mountLogs } from "./routes.ts";
export { attachLogging, errorWithContext, infoWithContext, setupLogging, setupRecovery } from "./setup.ts";
export type { LogRetention } from "./store/block-writer.ts";
export { logMigrations } from "./store/blocks.ts";
export { createLogStore, type LogStore, type LogStoreStatus } from "./store/log-store.ts";
export type { FieldValue, LogPage, LogQuery, LogRecord } from "./store/query.ts";
export type { LogVolume, VolumePoint, VolumeQuery } from "./store/volume.ts";
