// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

// API_DESC Tells one or mine.
function getThing(e: RequestEvent) {
  return e.json(200, { lang: e.query("lang") ?? "en" });
}

export function routes(router: VersionedRouter): void {
  router.get("/things/{id}", getThing);
  router.get("/mine", getThing);
  router.post("/mine", getThing);
}
