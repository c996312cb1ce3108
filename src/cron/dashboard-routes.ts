import { requireSuperuserAuth } from "../auth/index.ts";
import { neverCached, type RequestEvent, type RootRouter } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { readWindow, type TimeWindow } from "../lib/time-window.ts";
import { toJobAnswer, toListAnswer, toTimelineAnswer, toZoneAnswer } from "./dashboard-answers.ts";
import { readFlag } from "./flag.ts";
import type { Manager } from "./manager.ts";
import type { Overview } from "./overview.ts";
import { mountReading } from "./routes.ts";
import { timezoneNames } from "./schedule/timezone.ts";

const dayMs = 24 * 3_600_000;
/** How far the timeline looks ahead, and the longest period that it shows. */
const furthestMs = 7 * dayMs;
const maxSearchLength = 200;

/** Data routes for the dashboard's cron page. They are excluded from logs and metrics. */
export function mountDashboard(
  root: RootRouter,
  { manager, overview, clock }: { manager: Manager; overview: Overview; clock: Clock },
): void {
  const data = root.uncounted().setPrefix("/_/_/data/cron");
  data.bind(requireSuperuserAuth(), neverCached);

  mountReading(data, manager);
  data.get("", async (e) => {
    const removed = readFlag(e, "removed", false);
    return e.json(200, toListAnswer(await overview.list({ removed, search: readSearch(e) })));
  });
  data.get("/jobs/{id}", async (e) => e.json(200, toJobAnswer(await overview.job(e.pathValue("id")))));
  data.get("/timeline", async (e) => {
    const now = clock.now();
    const { from, to } = readReach(e, now);
    return e.json(200, toTimelineAnswer(from, to, await overview.timeline(from, to, now)));
  });
  data.get("/timezone", async (e) => {
    const timezone = e.query("timezone");
    const required = {
      code: "required",
      message: "timezone is required: an IANA name such as Europe/Berlin.",
    };
    refuseInvalid({ timezone: timezone ? undefined : required });
    return e.json(200, toZoneAnswer(await overview.zoneChange(timezone!)));
  });
  data.get("/timezones", (e) => e.json(200, { timezones: timezoneNames() }));
}

function readSearch(e: RequestEvent<never>): string | undefined {
  const text = e.query("search") || undefined;
  const message = `The value of search must be a string of at most ${maxSearchLength} characters.`;
  const isFit = text === undefined || text.length <= maxSearchLength;
  refuseInvalid({ search: isFit ? undefined : { code: "invalid", message } });
  return text;
}

/**
 * Reads the requested period. Default: one day back to one day ahead. Longer periods are truncated; the response
 * contains the actual bounds.
 */
function readReach(e: RequestEvent<never>, now: number): TimeWindow {
  const defaults: Record<string, number> = { from: now - dayMs, to: now + dayMs };
  const asked = readWindow((name) => e.query(name) || `${defaults[name]}`, now, dayMs);
  const to = Math.min(asked.to, now + furthestMs);
  const window = { from: Math.max(asked.from, Math.min(to, now) - furthestMs), to };
  const message = "from must be before to and at most seven days ahead.";
  refuseInvalid({ from: window.to > window.from ? undefined : { code: "invalid", message } });
  return window;
}
