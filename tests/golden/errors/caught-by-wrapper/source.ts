// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

function safe(handler: Handler): Handler {
  return async (e) => {
    try {
      return await handler(e);
    } catch (error) {
      e.app.logger.error("failed", { error: String(error) });
      return e.json(500, { failed: true });
    }
  };
}

declare function find(): string | undefined;

function getThing(e: RequestEvent) {
  const thing = find();
  if (!thing) throw e.error(404, "There is none.");
  return e.json(200, { thing });
}

export function routes(router: VersionedRouter): void {
  router.get("/safe", safe(getThing));
  router.get("/plain", getThing);
}
