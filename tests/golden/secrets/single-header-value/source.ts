// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

function receive(e: RequestEvent) {
  if (e.header("X-From") !== "canary-from") throw e.error(400);
  if (e.cookie("door") !== "canary-door") throw e.error(404);
  if (!["canary-only"].includes(e.header("X-Only") as string)) throw e.error(400);
  const mode = e.header("X-Mode");
  if (mode !== "fast" && mode !== "slow") throw e.error(400);
  return e.json(200, { agent: e.header("X-Agent") ?? "none" });
}

export function routes(router: VersionedRouter): void {
  router.get("/receive", receive);
}
