import { createHash, timingSafeEqual } from "node:crypto";
import { demandSuperuser, requireSuperuserAuth } from "../auth/index.ts";
import { neverCached, type RequestEvent, type RootRouter } from "../http/index.ts";
import { toCsv } from "../lib/csv.ts";
import { toDetailAnswer, toInstanceAnswer, toRecentAnswer, toRouteRows, toSlowAnswer } from "./answers.ts";
import type { HistoryMessage } from "./background.ts";
import { ERROR_UNKNOWN, REQUEST_UNKNOWN } from "./errors.ts";
import { mountHealth } from "./health.ts";
import type { ErrorAnswer, ErrorTable, InstanceRecord } from "./history/history.ts";
import type { Answered, RequestSeries, RouteTable, SystemSeries } from "./history/queries.ts";
import type { Metrics } from "./metrics.ts";
import { readFlag, readName, readNumber, readPast, readRecentFilter, traceId } from "./query.ts";
import { createRecentFilter } from "./requests/recent-filter.ts";
import type { SlowRequest } from "./requests/slowest.ts";
import { createSharedAnswers } from "./shared-answers.ts";

const maxRecent = 1_000;
/** Points of an error's sparkline. */
const errorPoints = 60;

/** Data routes for the dashboard, and the scrape endpoint. They are excluded from request metrics. */
export function mountMetrics(root: RootRouter, metrics: Metrics): void {
  const { instance, clock } = metrics.options;
  const share = createSharedAnswers(clock);
  mountHealth(root, metrics.health);
  const own = root.uncounted();
  const data = own.setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached);

  data.get("/requests", async (e) => {
    const query = { ...past(e), route: readName(e, "route"), compare: readFlag(e, "compare") };
    return share(e, async () => inMilliseconds(await ask<RequestSeries>({ kind: "requests", query })));
  });
  data.get("/requests/{trace_id}", (e) => {
    const id = e.pathValue("trace_id");
    const found = traceId.test(id) ? metrics.requests.recent.find(id) : undefined;
    if (!found) throw REQUEST_UNKNOWN(id);
    return e.json(200, { instance, ...toDetailAnswer(found) });
  });
  data.get("/routes", (e) => share(e, async () => inMilliseconds(await askRoutes(e))));
  data.get("/routes.csv", async (e) => {
    const { header, rows } = toRouteRows(await askRoutes(e));
    e.setHeader("Content-Disposition", 'attachment; filename="routes.csv"');
    return e.bytes(200, "text/csv; charset=utf-8", Buffer.from(toCsv(header, rows)));
  });
  data.get("/slowest", async (e) => {
    const query = past(e);
    const { requests, ...answered } = await ask<Answered & { requests: SlowRequest[] }>({
      kind: "slowest",
      query,
    });
    return e.json(200, { ...inMilliseconds(answered), requests: requests.map(toSlowAnswer) });
  });
  data.get("/system", async (e) => {
    const names = e.query("names")?.split(",").filter(Boolean);
    const query = { ...past(e), names, compare: readFlag(e, "compare") };
    return share(e, async () => inMilliseconds(await ask<SystemSeries>({ kind: "system", query })));
  });
  data.get("/disk", async (e) => e.json(200, await metrics.disk()));
  data.get("/errors", async (e) => {
    const filter = { origin: readName(e, "origin"), text: readName(e, "text") };
    const query = past(e, errorPoints);
    return share(e, async () => inMilliseconds(await ask<ErrorTable>({ kind: "errors", query, filter })));
  });
  data.get("/errors/{fingerprint}", async (e) => {
    const fingerprint = e.pathValue("fingerprint");
    if (!/^[\w-]{16}$/.test(fingerprint)) throw ERROR_UNKNOWN(fingerprint);
    const query = past(e, errorPoints);
    const found = await ask<ErrorAnswer | undefined>({ kind: "error", fingerprint, query });
    if (!found) throw ERROR_UNKNOWN(fingerprint);
    return e.json(200, inMilliseconds(found));
  });
  data.get("/recent", (e) => {
    const limit = readNumber(e, "limit", { fallback: 100, least: 1, most: maxRecent });
    const after = readNumber(e, "after", { fallback: 0, least: 0, most: Number.MAX_SAFE_INTEGER });
    const matches = createRecentFilter(readRecentFilter(e));
    const { recent } = metrics.requests;
    const requests = recent.list({ limit, after, matches }).map(toRecentAnswer);
    return e.json(200, { instance, newest: recent.newest, requests });
  });
  data.get("/instances", async (e) => {
    const instances = await ask<InstanceRecord[]>({ kind: "instances" });
    return e.json(200, { instances: instances.map(toInstanceAnswer) });
  });
  data.get("/now", async (e) => {
    // This response is most important when the store fails, so it must not depend on it.
    const store = await metrics.size().catch(() => undefined);
    return e.json(200, { ...metrics.snapshot(), ...(store && { store }) });
  });

  own.get("/_/_/live", (e) => metrics.feed.answer(e)).bind(requireSuperuserAuth());
  own.get("/_/_/metrics", (e) => answerScraper(e, metrics));

  function past(e: RequestEvent<never>, points?: number) {
    return readPast(e, clock.now(), points);
  }

  function askRoutes(e: RequestEvent<never>): Promise<RouteTable> {
    return ask({ kind: "routes", query: { ...past(e), compare: readFlag(e, "compare") } });
  }

  function ask<Answer>(message: HistoryMessage): Promise<Answer> {
    return metrics.ask<Answer>(message);
  }
}

/** Times are seconds internally and milliseconds in the API. */
function inMilliseconds<Answer extends Answered & { step?: number }>({ from, to, step, ...rest }: Answer) {
  return {
    from: from * 1_000,
    to: to * 1_000,
    ...(step !== undefined && { step_ms: step * 1_000 }),
    ...rest,
  };
}

function answerScraper(e: RequestEvent<never>, metrics: Metrics) {
  if (!hasToken(e, metrics.options.scrapeToken)) demandSuperuser(e);
  const isOpenMetrics = e.header("accept")?.includes("application/openmetrics-text") === true;
  const type = isOpenMetrics
    ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
    : "text/plain; version=0.0.4; charset=utf-8";
  e.setHeader("Cache-Control", "no-store");
  return e.bytes(200, type, Buffer.from(metrics.exposition(isOpenMetrics)));
}

function hasToken(e: RequestEvent<never>, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(e.header("authorization") ?? "")?.[1];
  if (token === undefined || given === undefined) return false;
  // Digests have equal lengths, so the comparison does not reveal the length of the token.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
