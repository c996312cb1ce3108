/**
 * Metrics: what happens in the program and on its machine, counted so cheaply that nobody has to switch it off, kept
 * for a year, and told to whoever watches. Also the health of it all, in a word.
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
