// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Error {
  line: number;
  text: string;
}

declare function lint(): Error[];

function getErrors(e: RequestEvent) {
  if (e.query("fail") === "true") throw e.error(503, "Not now.");
  return e.json(200, { errors: lint() });
}

export function routes(router: VersionedRouter): void {
  router.get("/errors", getErrors);
}
