import type { NoCalls, WorkerContract } from "../../../../lib/worker/contract.ts";
import { serveWorker } from "../../../../lib/worker/serve-worker.ts";
import { type DatabaseOptions, openDatabase } from "../../../../storage/index.ts";
import { createRunLog, type RunSlice } from "./run-log.ts";
import type { RunSelection } from "./run-selection.ts";

/** The thread that reads pages of a long run log, with its own database connection. */
export interface PageThread extends WorkerContract {
  readonly data: DatabaseOptions;
  readonly calls: { page(selection: RunSelection): RunSlice };
  readonly ownerCalls: NoCalls;
}

serveWorker<PageThread>(async ({ data }) => {
  const database = await openDatabase(data);
  const { page } = createRunLog(database);
  return { handlers: { page }, close: () => database.close() };
});
