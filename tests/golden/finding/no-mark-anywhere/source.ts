import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { countBoats } from "./boats.ts";

/** Greets the caller. */
function greet(e: RequestEvent) {
  return e.text(200, `Hello ${e.query("name") ?? "stranger"}`);
}

export function routes(router: VersionedRouter): void {
  router.get("/greet", greet);
  router.get("/boats", countBoats);
}
