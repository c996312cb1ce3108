import type { Router } from "../http/index.ts";
import { systemClock } from "../lib/clock.ts";

/** What the health endpoint looks at. */
export interface HealthSources {
  /** Open connections on the listener. */
  connections(): number;
  isDraining(): boolean;
  /** Whether log records and figures reach their stores. */
  isStoreWriting(): boolean;
  uptimeMs(): number;
  /** Rejects when the database cannot answer. */
  pingStore(): Promise<void>;
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
}

export interface Health {
  /** Counts a finished request. */
  count(): void;
  read(): HealthRecord;
  /** Asks the database, and does not wait for it forever. */
  check(): Promise<Readiness>;
}

/** Longer than a busy database takes, shorter than an orchestrator waits. */
const pingDeadlineMs = 2_000;

export function createHealth(sources: HealthSources): Health {
  let requests = 0;
  // Many may ask at once; a database that is slow already is asked one thing at a time.
  let asking: Promise<boolean> | undefined;
  const askStore = () => {
    asking ??= answersInTime(sources).finally(() => {
      asking = undefined;
    });
    return asking;
  };
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
    async check() {
      const store = (await askStore()) ? "ok" : "failing";
      const ready = store === "ok" ? "ready" : "unavailable";
      return { status: sources.isDraining() ? "draining" : ready, checks: { store } };
    },
  };
}

async function answersInTime({ pingStore }: HealthSources): Promise<boolean> {
  let stop = () => {};
  const late = new Promise<false>((resolve) => {
    stop = systemClock.after(pingDeadlineMs, () => resolve(false));
  });
  const answered = pingStore().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    stop();
  }
}

function statusOf({ isDraining, isStoreWriting }: HealthSources): HealthStatus {
  if (isDraining()) return "draining";
  return isStoreWriting() ? "healthy" : "degraded";
}

export function mountHealth(router: Router, health: Health): void {
  // For load balancers: 503 tells them to send no more requests here, which is right only while draining.
  router.get("/api/health", (e) => {
    const record = health.read();
    e.setHeader("Cache-Control", "no-store");
    return e.json(record.status === "draining" ? 503 : 200, record);
  });
  // For orchestrators, which can start another instance in the place of one whose database does not answer.
  router.get("/api/health/ready", async (e) => {
    const readiness = await health.check();
    e.setHeader("Cache-Control", "no-store");
    return e.json(readiness.status === "ready" ? 200 : 503, readiness);
  });
}
