import type { Router } from "../http/index.ts";

/** What the health endpoint looks at. */
export interface HealthSources {
  /** Open connections on the listener. */
  connections(): number;
  isDraining(): boolean;
  /** Whether log records reach their store. */
  isStoreWriting(): boolean;
  uptimeMs(): number;
}

export type HealthStatus = "healthy" | "degraded" | "draining";

export interface HealthRecord {
  status: HealthStatus;
  uptime_seconds: number;
  total_requests: number;
  active_connections: number;
}

export interface Health {
  /** Counts a finished request. */
  count(): void;
  read(): HealthRecord;
}

export function createHealth(sources: HealthSources): Health {
  let requests = 0;
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
  };
}

function statusOf({ isDraining, isStoreWriting }: HealthSources): HealthStatus {
  if (isDraining()) return "draining";
  return isStoreWriting() ? "healthy" : "degraded";
}

/** For load balancers: 503 tells them to send no more requests here, which is right only while draining. */
export function mountHealth(router: Router, health: Health): void {
  router.get("/api/health", (e) => {
    const record = health.read();
    e.setHeader("Cache-Control", "no-store");
    return e.json(record.status === "draining" ? 503 : 200, record);
  });
}
