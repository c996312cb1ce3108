import type { HealthIssue } from "../../../feature/index.ts";
import type { Router } from "../../../http/index.ts";
import type { FaultReason } from "../../../storage/index.ts";
import { createStoreProbe, type ProbeResult, type ProbeSources } from "./store-probe.ts";

/** Data sources of the health endpoints. */
export interface HealthSources extends ProbeSources {
  /** Open connections on the listener. */
  connections(): number;
  isDraining(): boolean;
  /** Data that cannot be stored. */
  storageIssues(): readonly HealthIssue[];
  /** Why this instance should get no requests. */
  readinessIssues(): readonly HealthIssue[];
  uptimeMs(): number;
}

export type HealthStatus = "healthy" | "degraded" | "draining";

export interface HealthRecord {
  status: HealthStatus;
  uptime_seconds: number;
  total_requests: number;
  active_connections: number;
}

/** Whether requests can be served now. */
export interface Readiness {
  status: "ready" | "draining" | "unavailable";
  checks: { store: "ok" | "failing" };
  /** Why the instance is not ready, as a code and as a message; absent if it is ready. */
  reason?: FaultReason | (string & {});
  message?: string;
}

export interface Health {
  /** Counts a finished request. */
  count(): void;
  read(): HealthRecord;
  /** Writes to the database at most once per second, with a timeout of two seconds. */
  check(): Promise<Readiness>;
}

export function createHealth(sources: HealthSources): Health {
  let requests = 0;
  const probe = createStoreProbe(sources);
  return {
    count() {
      requests++;
    },
    read: () => ({
      status: statusOf(sources),
      uptime_seconds: Math.floor(sources.uptimeMs() / 1000),
      total_requests: requests,
      active_connections: sources.connections(),
    }),
    check: async () => toReadiness(await probe(), sources),
  };
}

function toReadiness(result: ProbeResult, { isDraining, readinessIssues }: HealthSources): Readiness {
  const store = result.isOk ? "ok" : "failing";
  const [issue] = readinessIssues();
  const problem = result.isOk ? issue && { reason: issue.id, message: issue.message } : result;
  const status = problem ? "unavailable" : "ready";
  return {
    status: isDraining() ? "draining" : status,
    checks: { store },
    ...(problem && { reason: problem.reason, message: problem.message }),
  };
}

function statusOf({ isDraining, storageIssues }: HealthSources): HealthStatus {
  if (isDraining()) return "draining";
  return storageIssues().length === 0 ? "healthy" : "degraded";
}

export function mountHealth(router: Router, health: Health): void {
  // For load balancers. They stop sending requests on a 503, which is only correct while draining.
  router.get("/api/health", (e) => {
    const record = health.read();
    e.setHeader("Cache-Control", "no-store");
    return e.json(record.status === "draining" ? 503 : 200, record);
  });
  // For orchestrators, which can replace an instance whose database does not respond.
  router.get("/api/health/ready", async (e) => {
    const readiness = await health.check();
    e.setHeader("Cache-Control", "no-store");
    return e.json(readiness.status === "ready" ? 200 : 503, readiness);
  });
}
