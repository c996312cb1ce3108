import { Readable } from "node:stream";
import { requireSuperuserAuth } from "../../auth/index.ts";
import {
  compress,
  neverCached,
  query,
  type RequestEvent,
  type RootRouter,
  readQuery,
} from "../../http/index.ts";
import { type Clock, systemClock } from "../../lib/time/clock.ts";
import { hourMs } from "../../lib/time/units.ts";
import { countClients } from "./clients.ts";
import { type ReadFilePage, type Search, toFile } from "./files.ts";
import { instanceName, readFile, readRequestFile, readSearch, readVolume } from "./query-parameters.ts";
import { loggingOf } from "./setup.ts";
import type { LogVolume } from "./store/search/volume.ts";
import type * as wire from "./wire.ts";

/** Reads the stored records. */
export interface LogSource {
  search: Search;
  readFile: ReadFilePage;
}

/**
 * Search routes for stored records. They are excluded from logs and metrics; otherwise searching the log would add to
 * it.
 */
export function mountLogs(
  root: RootRouter,
  { search, readFile: readPage }: LogSource,
  clock: Clock = systemClock,
): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(neverCached, requireSuperuserAuth(), compress());

  data.get("/logs", async (e) => {
    const page = await search(readSearch(e));
    const recording = loggingOf(e.app).recording();
    return e.json(200, { ...page, recording } satisfies wire.RecordPage);
  });
  data.get("/logs/volume", async (e) => {
    const wanted = readVolume(e, clock.now());
    return e.json(200, toVolumeResponse(await loggingOf(e.app).volume(wanted)));
  });
  data.get("/logs/clients", async (e) => {
    const now = clock.now();
    const { window, instance } = readQuery(e, {
      window: query.window({ to: now, from: (to) => to - hourMs }),
      instance: instanceName,
    });
    return e.json(200, await countClients(search, window, instance));
  });
  data.get("/logs.ndjson", (e) => {
    const lines = toFile(readPage, "ndjson", readFile(e));
    return sendFile(e, "application/x-ndjson; charset=utf-8", nameFile("logs", "ndjson", clock), lines);
  });
  data.get("/requests.csv", (e) => {
    const lines = toFile(readPage, "csv", readRequestFile(e));
    return sendFile(e, "text/csv; charset=utf-8", nameFile("requests", "csv", clock), lines);
  });
}

function toVolumeResponse({ from, to, stepMs, points, reached }: LogVolume): wire.LogVolume {
  return { from, to, step_ms: stepMs, points, complete: reached === undefined, reached };
}

/** Such as `annex-logs-2026-03-01T12-00-00Z.ndjson`. Some file systems do not allow colons. */
function nameFile(what: string, extension: string, clock: Clock): string {
  const time = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(":", "-");
  return `annex-${what}-${time}Z.${extension}`;
}

function sendFile(
  e: RequestEvent<never>,
  type: string,
  name: string,
  pages: AsyncIterable<string | Uint8Array>,
) {
  e.setHeader("Content-Disposition", `attachment; filename="${name}"`);
  return e.stream(200, type, Readable.from(pages));
}
