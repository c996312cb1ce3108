/**
 * Metrics: what the program is doing, for those who watch over it. So far the health endpoint.
 *
 * ```ts
 * const health = createHealth({ connections: () => 3, isDraining: () => false, isStoreWriting: () => true, uptimeMs: () => 1000 });
 * observer.onFinished(health.count);
 * mountHealth(router, health);
 * ```
 */
export { createHealth, type Health, type HealthRecord, type HealthStatus, mountHealth } from "./health.ts";
