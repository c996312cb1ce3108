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
  /** Why this instance cannot run jobs. */
  fleetIssues(): readonly HealthIssue[];
  /** Whether data is being lost. */
  isLosingData(): boolean;
  /** What readiness requires. */
  readyNeeds(): ReadyNeeds;
  uptimeMs(): number;
}

/** What this instance needs, without which it should get no requests. */
export interface ReadyNeeds {
  /** The database can be written. */
  readonly database: boolean;
  /** It may run jobs. */
  readonly jobs: boolean;
  /** All data can be stored. */
  readonly records: boolean;
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
  /** Writes to the database at most once per second. Waits up to two seconds for it if the application needs it. */
  check(): Promise<Readiness>;
}

export function createHealth(sources: HealthSources): Health {
  let requests = 0;
  const probe = createStoreProbe(sources);
  let lastResult: ProbeResult = { isOk: true };

  /** An application that does not need the database does not wait for it either. */
  async function probeStore(): Promise<ProbeResult> {
    const probed = probe().then((result) => {
      lastResult = result;
    });
    if (sources.readyNeeds().database) await probed;
    return lastResult;
  }

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
    check: async () => toReadiness(await probeStore(), sources),
  };
}

function toReadiness(result: ProbeResult, sources: HealthSources): Readiness {
  const problem = findObstacle(result, sources);
  const status = problem ? "unavailable" : "ready";
  return {
    status: sources.isDraining() ? "draining" : status,
    checks: { store: result.isOk ? "ok" : "failing" },
    ...problem,
  };
}

/** What this instance needs and does not have. */
function findObstacle(
  result: ProbeResult,
  sources: HealthSources,
): { reason: string; message: string } | undefined {
  const needs = sources.readyNeeds();
  if (needs.database && !result.isOk) return { reason: result.reason, message: result.message };
  const [fleetIssue] = needs.jobs ? sources.fleetIssues() : [];
  if (fleetIssue) return { reason: fleetIssue.id, message: fleetIssue.message };
  const [issue] = needs.records ? sources.storageIssues() : [];
  // The message of the issue can contain a path, and anonymous clients can read this one.
  return issue && { reason: issue.id, message: "Some data is not stored. The dashboard shows the reason." };
}

function statusOf({ isDraining, storageIssues, fleetIssues, isLosingData }: HealthSources): HealthStatus {
  if (isDraining()) return "draining";
  const isHealthy = storageIssues().length === 0 && fleetIssues().length === 0 && !isLosingData();
  return isHealthy ? "healthy" : "degraded";
}

export function mountHealth(router: Router, health: Health): void {
  // For load balancers. They stop sending requests on a 503, which is only correct while draining.
  router.get("/api/health", (e) => {
    const record = health.read();
    e.setHeader("Cache-Control", "no-store");
    return e.json(record.status === "draining" ? 503 : 200, record);
  });
  // For orchestrators and balancers, which send requests elsewhere on a 503. The application must need what is missing.
  router.get("/api/health/ready", async (e) => {
    const readiness = await health.check();
    e.setHeader("Cache-Control", "no-store");
    return e.json(readiness.status === "ready" ? 200 : 503, readiness);
  });
}
