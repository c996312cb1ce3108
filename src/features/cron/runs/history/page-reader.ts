import { startWorker } from "../../../../lib/worker/start-worker.ts";
import { moduleBeside } from "../../../../lib/worker/threads.ts";
import { type DatabaseOptions, HISTORY_UNAVAILABLE } from "../../../../storage/index.ts";
import type { PageThread } from "./page-thread.ts";
import type { RunSlice } from "./run-log.ts";
import type { RunSelection } from "./run-selection.ts";

/** Reads pages of a long run log without blocking requests. */
export interface PageReader {
  page(selection: RunSelection): Promise<RunSlice>;
  close(): Promise<void>;
}

/** SQLite does not respond while it sorts. A thread that does so for longer is ended; nothing else depends on it. */
const deadlines = { startMs: 60_000, callMs: 30_000, hangMs: 60_000, closeMs: 1_000 };
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/** Reads in a thread, which starts with the first page. */
export function createPageReader(database: DatabaseOptions): PageReader {
  const thread = startWorker<PageThread>({
    entry: moduleBeside(import.meta.url, "page-thread"),
    name: "annex-run-log",
    data: database,
    handlers: {},
    resourceLimits,
    isLazy: true,
    restartMs: 1_000,
    deadlines,
  });
  return {
    page: (selection) =>
      thread.call("page", selection).catch((cause: unknown) => {
        throw HISTORY_UNAVAILABLE.with({ cause });
      }),
    close: () => thread.close(),
  };
}
