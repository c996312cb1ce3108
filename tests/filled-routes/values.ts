import type { Filled } from "./fill.ts";

const hour = 3_600_000;

/** Values of `{…}` in the paths of routes. A route that is not listed here fails the test. */
export function pathValues({ trace, superuser, run }: Filled): Readonly<Record<string, readonly string[]>> {
  const version = ["v1"];
  const runIds = [run, "queue0000000007"];
  const jobIds = ["job-003", "gone-7"];
  return {
    "/_/_/{page}": ["logs"],
    "/_/_/assets/{file}": ["none.js"],
    "/_/_/data/api/{version}": version,
    "/_/_/data/cron/jobs/{id}": jobIds,
    "/_/_/data/cron/logs/{job_id}": jobIds,
    "/_/_/data/cron/runs/{run_id}": runIds,
    "/_/_/data/cron/runs/{run_id}/stream": [run],
    "/_/_/data/errors/{fingerprint}": ["fingerprint00007"],
    "/_/_/data/requests/{trace_id}": [trace, "abcdefghijklmnopqr"],
    "/_/superusers/{id}/remove": [superuser],
    "/api/collections/_superusers/records/{id}": [superuser],
    "/api/cron/jobs/{id}": jobIds,
    "/api/cron/jobs/{id}/next": jobIds,
    "/api/cron/logs/{job_id}": jobIds,
    "/api/cron/runs/{run_id}": runIds,
    "/api/cron/runs/{run_id}/stream": [run],
    "/api/docs/{version}": version,
    "/api/docs/{version}/openapi.json": version,
    "/api/docs/{version}/spec": version,
    "/api/docs/{version}/swagger": version,
    "/api/docs/assets/{file}": ["none.js"],
    "/api/{version}/schema/config": version,
  };
}

/**
 * Values of the query parameters whose values the application does not list when it refuses one. A parameter that is not
 * listed here fails the test. The first value is used in combinations.
 */
export function parameterValues(filled: Filled): Readonly<Record<string, readonly string[]>> {
  const { now, trace } = filled;
  const middle = (filled.runsFrom + now) / 2;
  return {
    account: ["nowhere@example.org", "user7@example.org"],
    address: ["192.0.2.1", "203.0.7.3"],
    after: [`${now - 60_000}`],
    before: [`${now - 60_000}`],
    browser: ["Firefox"],
    device: ["mobile"],
    done: ["sign-out"],
    event: ["nothing", "http_request"],
    // With few rows after it, with some, and with all.
    from: [`${now - 20_000}`, `${middle}`, "0"],
    instance: ["web-none", "web-1"],
    job_id: ["gone-7", "job-003"],
    level: ["error"],
    levels: ["debug,error"],
    max_duration: ["0.001"],
    method: ["PUT"],
    min_duration: ["100000"],
    names: ["metric.3"],
    next: ["/_/_/logs"],
    not: ["event:http_request"],
    origin: ["GET /nowhere", "GET /orders/7"],
    os: ["Linux"],
    page: ["/page/3"],
    path: ["/nowhere", "/api/v1/things-3/*"],
    referrer: ["(direct)"],
    route: ["GET /nowhere", "GET /api/v1/things-3/{id}"],
    schedule: ["*/5 * * * *"],
    search: ["quagga-nowhere"],
    status: ["404", "5xx"],
    text: ["quagga-nowhere", "order 7"],
    timezone: ["Europe/Berlin"],
    to: [`${now}`, `${middle}`, `${filled.runsFrom + hour}`],
    trace: ["abcdefghijklmnopqr", trace],
    trace_id: ["abcdefghijklmnopqr", trace],
    view: ["summary"],
    where: ["word:nothing"],
  };
}

/** Values that apply to one route only. */
export const routeValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/_/_/data/api-diff": { from: ["v1"], to: ["v2"] },
};
