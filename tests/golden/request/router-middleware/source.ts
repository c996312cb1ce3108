// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

async function withRegion(e: RequestEvent<never>) {
  e.set("region", e.header("X-Region") ?? "eu");
  await e.next();
}

function open(e: RequestEvent) {
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/open", open);
  const inner = router.setPrefix("/inner");
  inner.bindFunc(withRegion);
  inner.get("/one", open);
  inner.get("/two", open);
}
