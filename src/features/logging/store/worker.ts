import { serveWorker } from "../../../lib/worker/serve-worker.ts";
import { openDatabase } from "../../../storage/index.ts";
import { createWriterService, type LogWriter } from "./writer-service.ts";

serveWorker<LogWriter>(async ({ data, report }) =>
  createWriterService({ ...data, connection: await openDatabase(data.database), report }),
);
