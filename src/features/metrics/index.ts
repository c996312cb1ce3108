import { isMainThread } from "node:worker_threads";
import { defineFeature, type FeatureContext, type StoreState } from "../../feature/index.ts";
import type { ValuesOf } from "../../lib/options/option-set.ts";
import { describeFit } from "../../lib/text/describe-fit.ts";
import { createEpoch } from "./fleet-view.ts";
import { createRouteLimits } from "./health/traffic/route-limits.ts";
import type { LevelSeconds } from "./history/levels.ts";
import { metricStore } from "./history/tables.ts";
import { historyService } from "./history-service.ts";
import { Metrics } from "./metrics.ts";
import { healthOptions, metricsOptions } from "./options.ts";
import { metricConditions } from "./reports/conditions.ts";
import { mountMetrics } from "./routes.ts";
import { createStallLog } from "./stalls/stall-log.ts";
import { StallProbe } from "./stalls/stall-probe.ts";
import { createSampler, describeSystem } from "./system/sampler.ts";
import type { HistorySize, InitialData } from "./wire.ts";

/**
 * Metrics of requests, errors, the process and the system, with a low overhead. They are stored for a year and streamed
 * to live clients. Includes the health status.
 *
 * ```ts
 * const service = historyService({ instance: "web-1", description: describeSystem(), maxBytes: 2 ** 28 });
 * const background = createBackground({ database: { dataDir: "svc_data" }, services: { metrics: service } });
 * const history = background.service("metrics");
 * const metrics = new Metrics({ history, background, clock: systemClock, ...sources });
 * metrics.observe(createEvents(listener.observer));
 * mountMetrics(router, metrics);
 * metrics.start();
 * ```
 */
export const metrics = defineFeature({
  name: "metrics",
  reserves: ["/api/health"],
  stores: [metricStore],
  conditions: metricConditions,
  options: [metricsOptions, healthOptions],
  create(context) {
    const { background, clock, events, instance, options, redactor, reports, server, storage } = context;
    const createdAt = performance.now();
    const description = describeSystem({ annexVersion: context.version, appRelease: context.release });
    const epoch = createEpoch();
    const stalls = createProbe(context);
    const history = historyService({
      ...{ instance, description, epoch, stallWatch: stalls?.watch },
      maxBytes: maxBytes(options.current),
    });
    const metrics = new Metrics({
      ...{ background, clock, instance, description, epoch, redactor },
      isShared: storage.isShared,
      activeRuns: () => reports.activeRuns.list().flatMap((list) => list()),
      isFenced: () => reports.fenced.list().some((isFenced) => isFenced()),
      history: background.register("metrics", history),
      stalls,
      // Without the detection, a rest hides nothing.
      stallMs: options.current.stallMs || Number.POSITIVE_INFINITY,
      onStall: createStallLog(context.logger, clock),
      scrapeToken: options.current.scrapeToken,
      createSampler: () => createSampler({ dataDir: storage.dataDir }),
      connections: server.connections,
      streams: server.streams,
      inFlight: () => server.requestsInFlight(),
      longRequests: server.longRequests,
      longRequestMs: server.longRequestMs,
      isDraining: () => server.isDraining(),
      storageIssues: () => reports.storageIssues.list().flatMap((find) => find()),
      fleetIssues: () => reports.fleetIssues.list().flatMap((find) => find()),
      readyNeeds() {
        const all = options.current.readyNeeds === "everything";
        return {
          database: all || server.isWorker || storage.isUsedByApplication,
          jobs: all || server.isWorker,
          records: all,
        };
      },
      healthIssues: () => reports.healthIssues.list().flatMap((find) => find()),
      pastIssues: async (from, to) =>
        (await Promise.all(reports.pastIssues.list().map((find) => find(from, to)))).flat(),
      limitsOf: createRouteLimits(options),
      limits: () => options.current,
      uptimeMs: () => performance.now() - createdAt,
      probeStore: async () => (await storage.database()).probe(),
      counters: () => reports.counters.list().map((read) => read()),
      dropped: reports.dropped.list,
    });
    metrics.observe(events);
    server.onBusy(() => metrics.wake());
    reports.jobs.add(...metrics.jobs);
    reports.dropped.add(...metrics.listDropped());
    reports.storeStates.add(async () => describeLimit(await metrics.size()));
    events.on("run.ended", ({ jobId, traceId, status, error }) => {
      metrics.countRun(jobId, status);
      if (error !== undefined) metrics.fail({ error, traceId, origin: `job ${jobId}` });
    });
    events.on("app.draining", () => metrics.feed.close());
    options.onChange("maxMegabytes", () => {
      // For a thread that has not been started yet.
      history.data.maxBytes = maxBytes(options.current);
      metrics.limitHistory(maxBytes(options.current));
    });
    reports.initialData.add((): InitialData => {
      const { seconds, ...snapshot } = metrics.snapshot();
      return {
        snapshot: { ...snapshot, seconds: seconds.slice(-initialSeconds) },
        epoch: metrics.feed.epoch,
      };
    });
    return {
      mount: (router) => mountMetrics(router, metrics),
      start: () => metrics.start(),
      close: () => metrics.stop(),
    };
  },
});

type MetricsContext = FeatureContext<ValuesOf<typeof metricsOptions>>;

/** Only the main thread can be watched. */
function createProbe({ options, reports, server }: MetricsContext): StallProbe | undefined {
  const thresholdMs = options.current.stallMs;
  if (thresholdMs === 0 || !isMainThread) return undefined;
  return new StallProbe({
    thresholdMs,
    openRequests: server.openRequests,
    activeRuns: () => reports.activeRuns.list().flatMap((list) => list()),
  });
}
/** The dashboard shows the request rate of the last ten seconds. */
const initialSeconds = 10;

function maxBytes({ maxMegabytes }: { readonly maxMegabytes: number }): number {
  return maxMegabytes * 1_000_000;
}

/** Finer levels have less than a day. Nobody expects to read them for long. */
const levelNames = { 60: "minutes", 3600: "hours", 86400: "days" } as const satisfies Partial<
  Record<LevelSeconds, string>
>;

function describeLimit({ name, levels, removing, crowded }: HistorySize): StoreState {
  const ofLevels = levels.flatMap(({ level, kept_seconds, fits_seconds }) => {
    const of = levelNames[level as keyof typeof levelNames];
    return of === undefined || fits_seconds === undefined ? [] : [{ of, kept_seconds, fits_seconds }];
  });
  const early = [...ofLevels, ...crowded].map(
    ({ of, kept_seconds: kept, fits_seconds: fits }) =>
      `${describeFit(fits / 86_400, kept / 86_400, "day")} of ${of} fit`,
  );
  return { store: name, removing, early };
}
