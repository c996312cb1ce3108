import { option, textLike } from "../../lib/options/option.ts";
import { defineGroup, defineOptions } from "../../lib/options/option-set.ts";
import { parseRouteLimit } from "./health/traffic/route-limits.ts";

const metricsGroup = defineGroup({ name: "metrics", title: "Metrics", about: "Metrics.", order: 50 });

/** Options of the metrics. */
export const metricsOptions = defineOptions(metricsGroup, {
  maxMegabytes: option.number({
    env: "SVC_METRICS_MAX_MB",
    default: 320,
    runtime: { unit: "megabytes", min: 1, max: 1_000_000 },
    effect: { kind: "size", data: "metrics", store: "metrics", when: "within the hour" },
    about:
      "Maximum size of the metrics history, in megabytes. The default holds a year of 200 routes with 20 requests per second. The oldest data is deleted first.",
  }),
  stallMs: option.number({
    env: "SVC_METRICS_STALL_MS",
    default: 100,
    integer: { min: 0, max: 60_000 },
    about:
      "Duration of a block of the event loop, in milliseconds, from which it is recorded as a stall. `0` turns the detection off.",
  }),
  scrapeToken: option.optionalText({
    // Short tokens can be guessed, and guessing a token does not lock an account.
    parse: textLike(/^[\x21-\x7e]{16,}$/, "at least 16 printable ASCII characters without spaces"),
    env: "SVC_METRICS_TOKEN",
    about: "Token that allows a Prometheus scraper to read `/_/_/metrics`. At least 16 characters.",
  }),
});

const readyNeeds = ["application", "everything"] as const;

const healthGroup = defineGroup({ name: "health", title: "Health", about: "Limits of the health status." });

/** What the instance needs to be ready, and limits of the health status. */
export const healthOptions = defineOptions(healthGroup, {
  readyNeeds: option.oneOf<(typeof readyNeeds)[number]>(readyNeeds, {
    type: '"application" | "everything"',
    env: "SVC_HEALTH_READY_NEEDS",
    default: "application",
    about:
      "What `/api/health/ready` requires: what the `application` itself needs, or `everything` that Annex stores and runs.",
    more: "See [Readiness](operation.md#readiness).",
  }),
  errorPercent: option.number({
    env: "SVC_HEALTH_ERROR_PERCENT",
    default: 5,
    runtime: { unit: "percent", min: 0.1, max: 100 },
    about:
      "Share of 5xx responses among all requests, in percent, above which the health status is `degraded`.",
  }),
  routeErrorPercent: option.number({
    env: "SVC_HEALTH_ROUTE_ERROR_PERCENT",
    default: 10,
    runtime: { unit: "percent", min: 0.1, max: 100 },
    about: "The same for each route.",
  }),
  p95Ms: option.number({
    env: "SVC_HEALTH_P95_MS",
    default: 10_000,
    runtime: { unit: "milliseconds", min: 1, max: 3_600_000 },
    about:
      "The p95 of all requests or of a route, in milliseconds, above which the health status is `degraded`.",
  }),
  routes: option.lines({
    parseLine: parseRouteLimit,
    env: "SVC_HEALTH_ROUTES",
    default: [],
    runtime: { max: 100, example: "POST /checkout errors=20% p95=2s" },
    about:
      "Limits of single routes, such as `POST /checkout errors=20% p95=2s`. They replace the comparison with the past.",
    more: "Use `off` instead of a value to ignore the errors or the latency of a route.",
  }),
});
