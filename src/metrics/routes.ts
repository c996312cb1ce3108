import { createHash, timingSafeEqual } from "node:crypto";
import { demandSuperuser, requireSuperuserAuth } from "../auth/index.ts";
import { neverCached, type RequestEvent, type RootRouter } from "../http/index.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { readWindow } from "../lib/time-window.ts";
import { toInstanceAnswer, toRecentAnswer, toSlowAnswer } from "./answers.ts";
import type { HistoryMessage } from "./background.ts";
import { ERROR_UNKNOWN } from "./errors.ts";
import { mountHealth } from "./health.ts";
import type { ErrorDetail } from "./history/error-store.ts";
import type { ErrorTable, HistorySize, InstanceRecord } from "./history/history.ts";
import type { Answered, PastQuery, RequestSeries, RouteTable, SystemSeries } from "./history/queries.ts";
import type { Metrics } from "./metrics.ts";
import type { SlowRequest } from "./requests/slowest.ts";

const hourMs = 3_600_000;
const defaultPoints = 240;
const maxPoints = 2_000;
const maxRecent = 1_000;

/** What the dashboard reads, and what a scraper does. None of it is counted among the requests that it tells about. */
export function mountMetrics(root: RootRouter, metrics: Metrics): void {
  mountHealth(root, metrics.health);
  const own = root.uncounted();
  const data = own.setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached);

  data.get("/requests", async (e) => {
    const query = { ...readQuery(e, metrics), route: readName(e, "route") };
    return e.json(200, inMilliseconds(await ask<RequestSeries>({ kind: "requests", query })));
  });
  data.get("/routes", async (e) =>
    e.json(200, inMilliseconds(await ask<RouteTable>({ kind: "routes", query: readQuery(e, metrics) }))),
  );
  data.get("/slowest", async (e) => {
    const query = readQuery(e, metrics);
    const { requests, ...answered } = await ask<Answered & { requests: SlowRequest[] }>({
      kind: "slowest",
      query,
    });
    return e.json(200, { ...inMilliseconds(answered), requests: requests.map(toSlowAnswer) });
  });
  data.get("/system", async (e) => {
    const names = e.query("names")?.split(",").filter(Boolean);
    const query = { ...readQuery(e, metrics), ...(names && { names }) };
    return e.json(200, inMilliseconds(await ask<SystemSeries>({ kind: "system", query })));
  });
  data.get("/errors", async (e) => {
    const query = readQuery(e, metrics, 60);
    return e.json(200, inMilliseconds(await ask<ErrorTable>({ kind: "errors", query })));
  });
  data.get("/errors/{fingerprint}", async (e) => {
    const fingerprint = e.pathValue("fingerprint");
    if (!/^[\w-]{16}$/.test(fingerprint)) throw ERROR_UNKNOWN(fingerprint);
    const found = await ask<ErrorDetail | undefined>({ kind: "error", fingerprint });
    if (!found) throw ERROR_UNKNOWN(fingerprint);
    return e.json(200, found);
  });
  data.get("/recent", (e) => {
    const limit = readNumber(e, "limit", { fallback: 100, least: 1, most: maxRecent });
    const after = readNumber(e, "after", { fallback: 0, least: 0, most: Number.MAX_SAFE_INTEGER });
    return e.json(200, { requests: metrics.requests.recent.list({ limit, after }).map(toRecentAnswer) });
  });
  data.get("/instances", async (e) => {
    const instances = await ask<InstanceRecord[]>({ kind: "instances" });
    return e.json(200, { instances: instances.map(toInstanceAnswer) });
  });
  data.get("/now", async (e) => {
    // What is told here matters most when the store is the problem.
    const store = await ask<HistorySize>({ kind: "size" }).catch(() => undefined);
    return e.json(200, { ...metrics.snapshot(), ...(store && { store }) });
  });

  own.get("/_/_/live", (e) => metrics.feed.answer(e)).bind(requireSuperuserAuth());
  own.get("/_/_/metrics", (e) => answerScraper(e, metrics));

  function ask<Answer>(message: HistoryMessage): Promise<Answer> {
    return metrics.ask<Answer>(message);
  }
}

function readQuery(e: RequestEvent<never>, metrics: Metrics, points = defaultPoints): PastQuery {
  const { from, to } = readWindow((name) => e.query(name), metrics.options.clock.now(), hourMs);
  return {
    from: Math.floor(from / 1_000),
    to: Math.ceil(to / 1_000),
    points: readNumber(e, "points", { fallback: points, least: 1, most: maxPoints }),
    instance: readName(e, "instance"),
  };
}

function readName(e: RequestEvent<never>, name: string): string | undefined {
  const text = e.query(name) || undefined;
  const message = `The value of ${name} must be a name of up to 300 letters, without a null.`;
  const isFit = text === undefined || (text.length <= 300 && !text.includes("\0"));
  refuseInvalid({ [name]: isFit ? undefined : { code: "invalid", message } });
  return text;
}

function readNumber(
  e: RequestEvent<never>,
  name: string,
  { fallback, least, most }: { fallback: number; least: number; most: number },
): number {
  const text = e.query(name);
  if (text === undefined || text === "") return fallback;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  const message = `The value of ${name} must be a whole number from ${least} to ${most}.`;
  refuseInvalid({ [name]: value >= least && value <= most ? undefined : { code: "invalid", message } });
  return value;
}

/** Inside, times are whole seconds; outside they are milliseconds, as everywhere on the web. */
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
  // Digests have one length, so that comparing them tells nothing about the token.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
