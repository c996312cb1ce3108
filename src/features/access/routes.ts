import { Readable } from "node:stream";
import { requireSuperuserAuth } from "../../auth/index.ts";
import { compress, neverCached, type RequestEvent, type RootRouter } from "../../http/index.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { toCsvFile, toNdjsonFile } from "./files.ts";
import type { AccessQueries } from "./queries.ts";
import { readFile, readPage, readSummary } from "./query-parameters.ts";
import { toPageResponse, toSummaryResponse } from "./responses.ts";

export interface AccessRoutesParts {
  readonly clock: Clock;
  readonly queries: AccessQueries;
  /** Stores pending events, so that a response contains them. */
  flush(): Promise<void>;
  retentionDays(): number;
}

/** Registers the routes of the access log for the dashboard and for file export. */
export function mountAccess(root: RootRouter, parts: AccessRoutesParts): void {
  const { clock, queries, flush, retentionDays } = parts;
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached, compress());

  data.get("/access", async (e) => {
    const { filter, ...page } = readPage(e, clock.now());
    await flush();
    return e.json(200, toPageResponse(await queries.list(filter, page)));
  });
  data.get("/access/summary", async (e) => {
    const { filter, points } = readSummary(e, clock.now());
    await flush();
    return e.json(200, toSummaryResponse(await queries.summarize(filter, points), retentionDays()));
  });
  data.get("/access.csv", async (e) => {
    const file = readFile(e, clock.now());
    await flush();
    return sendFile(e, "text/csv; charset=utf-8", "csv", toCsvFile(queries, file));
  });
  data.get("/access.ndjson", async (e) => {
    const file = readFile(e, clock.now());
    await flush();
    return sendFile(e, "application/x-ndjson; charset=utf-8", "ndjson", toNdjsonFile(queries, file));
  });

  /** The file name is `annex-access-2026-03-01T12-00-00Z.csv`, because some file systems do not allow colons. */
  function sendFile(e: RequestEvent<never>, type: string, extension: string, lines: AsyncIterable<string>) {
    const time = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(":", "-");
    e.setHeader("Content-Disposition", `attachment; filename="annex-access-${time}Z.${extension}"`);
    return e.stream(200, type, Readable.from(lines));
  }
}
