import { demandSuperuser, requireSuperuserAuth } from "../../auth/index.ts";
import {
  compress,
  neverCached,
  query,
  type RequestEvent,
  type RootRouter,
  readQuery,
} from "../../http/index.ts";
import { isTraceId } from "../../lib/ids.ts";
import { toCsv } from "../../lib/text/csv.ts";
import { ERROR_UNKNOWN, REQUEST_UNKNOWN } from "./errors.ts";
import { mountHealth } from "./health/health.ts";
import type { CoveredPeriod, RouteTable, Stepped } from "./history/queries/query.ts";
import type { Metrics } from "./metrics.ts";
import { inSeconds, periodAt, readRecent, stallQuery, storedText } from "./query.ts";
import { toRouteRows, toSlowResponse } from "./responses.ts";
import { createSharedResponses } from "./shared-responses.ts";
import type * as wire from "./wire.ts";

/** Points of an error's sparkline. */
const errorPoints = 60;

/** Data routes for the dashboard, and the scrape endpoint. They are excluded from request metrics. */
export function mountMetrics(root: RootRouter, metrics: Metrics): void {
  const { clock } = metrics;
  const share = createSharedResponses(clock);
  mountHealth(root, metrics.health);
  const own = root.uncounted();
  const data = own.setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached, compress());

  data.get("/requests", async (e) => {
    const { window, ...given } = readQuery(e, {
      ...period(),
      route: storedText,
      compare: query.flag(),
      smooth: query.flag(),
      after: query.time(),
    });
    const past = { ...given, ...inSeconds(window), after: toSecond(given.after) };
    return share<wire.RequestSeries>(e, async () =>
      toSteppedResponse(await metrics.callHistory("requests", past)),
    );
  });
  data.get("/requests/{trace_id}", async (e) => {
    const id = e.pathValue("trace_id");
    const found = isTraceId(id) ? await metrics.fleet.find(id) : undefined;
    if (!found) throw REQUEST_UNKNOWN(id);
    return e.json(200, found);
  });
  data.get("/routes", (e) => share<wire.RouteTable>(e, async () => inMilliseconds(await callRoutes(e))));
  data.get("/routes.csv", async (e) => {
    const { header, rows } = toRouteRows(await callRoutes(e));
    e.setHeader("Content-Disposition", 'attachment; filename="routes.csv"');
    return e.bytes(200, "text/csv; charset=utf-8", Buffer.from(toCsv(header, rows)));
  });
  data.get("/slowest", async (e) => {
    const { window, ...given } = readQuery(e, period());
    const past = { ...given, ...inSeconds(window) };
    const { requests, ...covered } = await metrics.callHistory("slowest", past);
    const slowest = { ...inMilliseconds(covered), requests: requests.map(toSlowResponse) };
    return e.json(200, slowest satisfies wire.SlowestRequests);
  });
  data.get("/system", async (e) => {
    const declared = { ...period(), names: query.words(), compare: query.flag(), after: query.time() };
    const { window, ...given } = readQuery(e, declared);
    const past = { ...given, ...inSeconds(window), after: toSecond(given.after) };
    return share<wire.SystemSeries>(e, async () =>
      toSteppedResponse(await metrics.callHistory("system", past)),
    );
  });
  data.get("/health", async (e) => {
    const { window, instance } = readQuery(e, { window: period().window, instance: storedText });
    return share<wire.PastHealth>(e, () => metrics.pastHealth({ ...inSeconds(window), instance }));
  });
  data.get("/disk", async (e) => e.json(200, await metrics.disk()));
  data.get("/errors", async (e) => {
    const declared = { ...period(errorPoints), origin: storedText, text: storedText };
    const { window, origin, text, ...given } = readQuery(e, declared);
    const past = { ...given, ...inSeconds(window) };
    const filter = { origin, text };
    return share<wire.ErrorTable>(e, async () =>
      toSteppedResponse(await metrics.callHistory("errors", past, filter)),
    );
  });
  data.get("/errors/{fingerprint}", async (e) => {
    const fingerprint = e.pathValue("fingerprint");
    if (!/^[\w-]{16}$/.test(fingerprint)) throw ERROR_UNKNOWN(fingerprint);
    const { window, ...given } = readQuery(e, period(errorPoints));
    const past = { ...given, ...inSeconds(window) };
    const found = await metrics.callHistory("error", fingerprint, past);
    if (!found) throw ERROR_UNKNOWN(fingerprint);
    return e.json(200, toSteppedResponse(found) satisfies wire.ErrorDetail);
  });
  data.get("/stalls", async (e) => {
    const { window, instance, trace, limit } = readQuery(e, stallQuery(period()));
    const found = await metrics.callHistory("stalls", { ...window, instance, traceId: trace, limit });
    return e.json(200, { ...window, ...found } satisfies wire.StallList);
  });
  data.get("/recent", async (e) => e.json(200, await metrics.fleet.list(readRecent(e))));
  data.get("/instances", async (e) => e.json(200, await metrics.fleet.instances()));
  data.get("/now", async (e) => {
    // This response is most important when the store fails, so it must not depend on it.
    const store = await metrics.size().catch(() => undefined);
    return e.json(200, { ...metrics.snapshot(), store } satisfies wire.CurrentState);
  });

  own.get("/_/_/live", (e) => metrics.feed.serve(e)).bind(requireSuperuserAuth());
  own.get("/_/_/metrics", (e) => sendMetrics(e, metrics));

  function period(points?: number) {
    return periodAt(clock.now(), points);
  }

  function callRoutes(e: RequestEvent<never>): Promise<RouteTable> {
    const { window, ...given } = readQuery(e, { ...period(), compare: query.flag() });
    return metrics.callHistory("routes", { ...given, ...inSeconds(window) });
  }
}

function toSecond(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(time / 1_000);
}

/** Times are seconds internally and milliseconds in the API. */
function inMilliseconds<Result extends CoveredPeriod>({ from, to, ...rest }: Result) {
  return { from: from * 1_000, to: to * 1_000, ...rest };
}

function toSteppedResponse<Result extends CoveredPeriod & Stepped>({ from, to, step, ...rest }: Result) {
  return { from: from * 1_000, to: to * 1_000, step_ms: step * 1_000, ...rest };
}

function sendMetrics(e: RequestEvent<never>, metrics: Metrics) {
  const token = /^Bearer (.+)$/i.exec(e.header("authorization") ?? "")?.[1];
  if (token === undefined || !metrics.isScrapeToken(token)) demandSuperuser(e);
  const isOpenMetrics = e.header("accept")?.includes("application/openmetrics-text") === true;
  const type = isOpenMetrics
    ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
    : "text/plain; version=0.0.4; charset=utf-8";
  e.setHeader("Cache-Control", "no-store");
  return e.bytes(200, type, Buffer.from(metrics.exposition(isOpenMetrics)));
}
