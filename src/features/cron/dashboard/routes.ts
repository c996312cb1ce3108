import { requireSuperuserAuth } from "../../../auth/index.ts";
import {
  compress,
  neverCached,
  type QuerySource,
  query,
  type RootRouter,
  readQuery,
} from "../../../http/index.ts";
import { invalid, refuseInvalid } from "../../../lib/fields.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { TimeWindow } from "../../../lib/time/time-window.ts";
import { dayMs } from "../../../lib/time/units.ts";
import { toQueuedEntry } from "../api/responses.ts";
import { mountReading, mountStream } from "../api/routes.ts";
import type { Manager } from "../jobs/manager.ts";
import { timezoneNames } from "../planning/timezone.ts";
import type * as wire from "../wire.ts";
import type { Overview } from "./overview.ts";
import { toJobResponse, toListResponse, toTimelineResponse, toZoneResponse } from "./responses.ts";

/** How far the timeline looks ahead, and the longest period that it shows. */
const furthestMs = 7 * dayMs;

/** Data routes for the dashboard's cron page. They are excluded from logs and metrics. */
export function mountDashboard(
  root: RootRouter,
  { manager, overview, clock }: { manager: Manager; overview: Overview; clock: AlarmClock },
): void {
  const own = root.uncounted();
  mountStream(own.setPrefix("/_/_/data/cron"), manager, clock);
  const data = own.setPrefix("/_/_/data/cron");
  data.bind(requireSuperuserAuth(), neverCached, compress());

  mountReading(data, manager);
  data.get("", async (e) => {
    const given = readQuery(e, { removed: query.flag(), search: query.text({ maxLength: 200 }) });
    return e.json(200, toListResponse(await overview.list(given)));
  });
  data.get("/jobs/{id}", async (e) => {
    const id = e.pathValue("id");
    const [job, queued] = await Promise.all([overview.job(id), manager.listQueued(id)]);
    const entries = queued.map((run) => toQueuedEntry(run, (value) => manager.redact(value)));
    return e.json(200, toJobResponse(job, entries));
  });
  data.get("/timeline", async (e) => {
    const now = clock.now();
    const { from, to } = readReach(e, now);
    return e.json(200, toTimelineResponse(from, to, await overview.timeline(from, to, now)));
  });
  data.get("/timezone", async (e) => {
    const { timezone } = readQuery(e, { timezone: query.required("an IANA name such as Europe/Berlin") });
    return e.json(200, toZoneResponse(await overview.zoneChange(timezone)));
  });
  data.get("/timezones", (e) => e.json(200, { timezones: timezoneNames() } satisfies wire.TimezoneNames));
}

/**
 * Reads the requested period. Default: one day back to one day ahead. Longer periods are truncated; the response
 * contains the actual bounds.
 */
function readReach(source: QuerySource, now: number): TimeWindow {
  const declared = { window: query.window({ to: now + dayMs, from: () => now - dayMs }) };
  const { window: asked } = readQuery(source, declared);
  const to = Math.min(asked.to, now + furthestMs);
  const window = { from: Math.max(asked.from, Math.min(to, now) - furthestMs), to };
  const isEmpty = window.to <= window.from;
  refuseInvalid({
    from: isEmpty ? invalid("from", "earlier than to and at most seven days ahead") : undefined,
  });
  return window;
}
