import type { NoCalls, WorkerContract } from "../../lib/worker/contract.ts";
import { serveWorker } from "../../lib/worker/serve-worker.ts";
import { openForReading } from "./file.ts";

/** The thread that reads a file, with its own connection. */
export interface ReaderThread extends WorkerContract {
  readonly data: { readonly dataDir: string; readonly file: string };
  readonly calls: {
    all(sql: string, parameters: readonly unknown[]): unknown[];
  };
  readonly ownerCalls: NoCalls;
}

serveWorker<ReaderThread>(({ data: { dataDir, file } }) => {
  const database = openForReading(dataDir, file);
  return {
    handlers: { all: (sql, parameters) => database.prepare(sql).all(...parameters) },
    close: () => void database.close(),
  };
});
