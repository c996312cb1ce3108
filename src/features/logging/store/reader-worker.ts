import { type NoCalls, Transferred, type WorkerContract } from "../../../lib/worker/contract.ts";
import { serveWorker } from "../../../lib/worker/serve-worker.ts";
import { type DatabaseOptions, openDatabase } from "../../../storage/index.ts";
import { createBlockReader } from "./blocks.ts";
import { createLogReader } from "./log-reader.ts";
import type { FileFormat, FilePage } from "./search/file-page.ts";
import type { LogPage, LogQuery } from "./search/query.ts";
import type { LogVolume, VolumeQuery } from "./search/volume.ts";

/** The thread that searches a long history, with its own database connection. */
export interface LogReaderWorker extends WorkerContract {
  readonly data: DatabaseOptions;
  readonly calls: {
    search(query: LogQuery): LogPage;
    file(query: LogQuery, format: FileFormat): FilePage;
    volume(query: VolumeQuery): LogVolume;
  };
  readonly ownerCalls: NoCalls;
}

serveWorker<LogReaderWorker>(async ({ data }) => {
  const database = await openDatabase(data);
  const reader = createLogReader(createBlockReader(database));
  return {
    handlers: {
      ...reader,
      async file(query, format) {
        const page = await reader.file(query, format);
        // The encoder never uses shared memory. Its exact type does not exist before TypeScript 5.7.
        return new Transferred(page, [page.text.buffer as ArrayBuffer]);
      },
    },
    close: () => database.close(),
  };
});
