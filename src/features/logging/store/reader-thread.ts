import { startWorker } from "../../../lib/worker/start-worker.ts";
import { moduleBeside } from "../../../lib/worker/threads.ts";
import { type DatabaseOptions, HISTORY_UNAVAILABLE } from "../../../storage/index.ts";
import type { LogReader } from "./log-reader.ts";
import type { LogReaderWorker } from "./reader-worker.ts";

/** The thread that reads a long history, as seen by the main thread. */
export interface ReaderThread extends LogReader {
  close(): Promise<void>;
}

/** A page takes about a second at most. A thread that does not respond is replaced. */
const deadlines = { startMs: 60_000, callMs: 30_000, hangMs: 60_000, closeMs: 1_000 };
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

/** The thread starts with the first call. Failed calls are rejected with a 503 error whose `cause` is the reason. */
export function createReaderThread(database: DatabaseOptions): ReaderThread {
  const thread = startWorker<LogReaderWorker>({
    entry: moduleBeside(import.meta.url, "reader-worker"),
    name: "annex-log-reader",
    data: database,
    handlers: {},
    resourceLimits,
    isLazy: true,
    restartMs: 1_000,
    deadlines,
  });
  const refuse = (cause: unknown): never => {
    throw HISTORY_UNAVAILABLE.with({ cause });
  };
  return {
    search: (query) => thread.call("search", query).catch(refuse),
    file: (query, format) => thread.call("file", query, format).catch(refuse),
    volume: (query) => thread.call("volume", query).catch(refuse),
    close: () => thread.close(),
  };
}
