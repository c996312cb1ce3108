// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function work(): Promise<void>;

async function fireAndForget(e: RequestEvent) {
  await work();
  e.app.logger.info("done");
}

export function routes(router: VersionedRouter): void {
  router.post("/work", fireAndForget);
}
