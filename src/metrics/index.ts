/**
 * Metrics of requests, errors, the process and the system, with a low overhead. They are stored for a year and streamed
 * to live clients. Includes the health status.
 *
 * ```ts
 * const service = historyService({ instance: "web-1", description: describeSystem(), maxBytes: 2 ** 28 });
 * const background = createBackground({ database: { dataDir: "svc_data" }, services: { metrics: service } });
 * const metrics = new Metrics({ background, clock: systemClock, ...sources });
 * metrics.observe(listener.observer);
 * mountMetrics(router, metrics);
 * metrics.start();
 * ```
 */
export type { HealthRecord, HealthStatus, Readiness, StoreProblem } from "./health.ts";
export { historyService, type LiveSecond, Metrics, type MetricsOptions } from "./metrics.ts";
export { mountMetrics } from "./routes.ts";
export { createSampler, describeSystem, type SystemDescription } from "./system/sampler.ts";
