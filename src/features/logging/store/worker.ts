import type { NoCalls, WorkerContract } from "../../../lib/worker/contract.ts";
import { serveWorker } from "../../../lib/worker/serve-worker.ts";
import { type DatabaseOptions, openDatabase } from "../../../storage/index.ts";
import type { Block } from "../output/sink.ts";
import type { LogRetention } from "./block-writer.ts";
import { createWriterService } from "./writer-service.ts";

/**
 * The thread that writes log blocks, with its own database connection. SQLite inserts wait for the disk and would block
 * requests on the main thread.
 */
export interface LogWriter extends WorkerContract {
  readonly data: WriterOptions;
  readonly calls: {
    /** Writes a block, retrying until it succeeds. Returns the memory for reuse. */
    write(block: Omit<Block, "bytes">, memory: ArrayBuffer, length: number): ArrayBuffer;
    /** Resolves when all earlier blocks have been written, or while they cannot be. Does not wait for deletions. */
    flush(): void;
    retain(retention: LogRetention): void;
  };
  readonly ownerCalls: NoCalls;
}

export interface WriterOptions {
  database: DatabaseOptions;
  retention: LogRetention;
  /** The instance that writes the records. Default: not known. */
  instance?: string | undefined;
}

serveWorker<LogWriter>(async ({ data, report }) =>
  createWriterService({ ...data, connection: await openDatabase(data.database), report }),
);
