// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Health {
  healthy: boolean;
}

declare function check(): Promise<{ status: number; health: Health }>;

async function getHealth(e: RequestEvent) {
  const { status, health } = await check();
  return e.json(status, health);
}

async function getDetails(e: RequestEvent) {
  const { status, health } = await check();
  if (status === 200) return e.json(200, health);
  return e.json(status, health);
}

export function routes(router: VersionedRouter): void {
  router.get("/health", getHealth);
  router.get("/health/details", getDetails);
}
