import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { wave } from "./marked.ts";

// API_SOURCE
// API_DESC Never read.
function greet(e: RequestEvent) {
  return e.text(200, `${e.query("name")}`);
}

export function routes(router: VersionedRouter): void {
  router.get("/greet", greet);
  router.get("/wave", wave);
}
