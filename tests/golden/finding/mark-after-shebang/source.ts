#!/usr/bin/env node
// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

// API_DESC Greets.
function greet(e: RequestEvent) {
  return e.json(200, { hello: e.query("name") });
}

export function routes(router: VersionedRouter): void {
  router.get("/greet", greet);
}
