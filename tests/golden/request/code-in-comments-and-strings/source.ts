// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const help = 'e.query("inString")';

/**
 * Call it with `e.query("inDoc")` and `throw e.error(409)`.
 */
function show(e: RequestEvent) {
  // const q = e.query("inComment");
  /* return e.json(500, { gone: true }); */
  const pattern = /e\.header\("X-In-Regex"\)/;
  return e.json(200, { help, template: `e.json(202, {})`, known: pattern.test(help) });
}

export function routes(router: VersionedRouter): void {
  router.get("/show", show);
}
