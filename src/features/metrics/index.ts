import { defineFeature } from "../../feature/index.ts";
import { createRouteLimits } from "./health/traffic/route-limits.ts";
import { historyService, Metrics } from "./metrics.ts";
import { healthOptions, metricsOptions } from "./options.ts";
import { mountMetrics } from "./routes.ts";
import { createSampler, describeSystem } from "./system/sampler.ts";

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
  options: [metricsOptions, healthOptions],
  create(context) {
    const { background, clock, events, instance, options, redactor, reports, server, storage } = context;
    const createdAt = performance.now();
    const description = describeSystem({ annexVersion: context.version, appRelease: context.release });
    const history = historyService({ instance, description, maxBytes: maxBytes(options.current) });
    const metrics = new Metrics({
      ...{ background, clock, instance, description, redactor },
      history: background.register("metrics", history),
      scrapeToken: options.current.scrapeToken,
      createSampler: () => createSampler({ dataDir: storage.dataDir }),
      connections: server.connections,
      inFlight: () => server.requestsInFlight(),
      longRequests: server.longRequests,
      longRequestMs: server.longRequestMs,
      isDraining: () => server.isDraining(),
      storageIssues: () => reports.storageIssues.list().flatMap((find) => find()),
      healthIssues: () => reports.healthIssues.list().flatMap((find) => find()),
      pastIssues: async (from, to) =>
        (await Promise.all(reports.pastIssues.list().map((find) => find(from, to)))).flat(),
      limitsOf: createRouteLimits(options),
      limits: () => options.current,
      uptimeMs: () => performance.now() - createdAt,
      probeStore: async () => (await storage.database()).probe(),
      counters: () => reports.counters.list().map((read) => read()),
      dropped: () => Object.assign({}, ...reports.dropped.list().map((read) => read())),
    });
    metrics.observe(events);
    reports.jobs.add(...metrics.jobs);
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
    return {
      mount: (router) => mountMetrics(router, metrics),
      start: () => metrics.start(),
      close: () => metrics.stop(),
    };
  },
});

function maxBytes({ maxMegabytes }: { readonly maxMegabytes: number }): number {
  return maxMegabytes * 1_000_000;
}
