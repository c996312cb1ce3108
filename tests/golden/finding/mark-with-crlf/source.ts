// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const fields: string[];

// API_DESC Greets
// API_DESC in two lines.
// API_TAGS one, two
function greet(e: RequestEvent) {
  const values = fields.map((field) => e.query(field));
  return e.text(200, values.join());
}

export function routes(router: VersionedRouter): void {
  router.get("/greet", greet);
}
