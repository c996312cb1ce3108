// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function keep(value: unknown): Promise<void>;

async function receiveHook(e: RequestEvent) {
  const payload = await e.bindBody();
  await keep(payload);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/hooks", receiveHook);
}
