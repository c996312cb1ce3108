/** Trace ID, metrics and visitors are on; the `http_request` record, which is of level debug, is below the log's. */
import { serveAnnex } from "../annex.ts";

await serveAnnex("info");
