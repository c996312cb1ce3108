// API_SOURCE
import type { MiddlewareHandler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

async function maintenance(e: RequestEvent<never>) {
  if (process.env.MAINTENANCE) return e.json(503, { retry: true });
  return e.next();
}

const throttle: MiddlewareHandler = {
  id: "throttle",
  documents: { responses: { 429: "Too many requests." }, requestHeaders: { "X-Client": "Who is counted." } },
  func: (e) => e.next(),
};

function listThings(e: RequestEvent) {
  return e.json(200, ["a"]);
}

function addThing(e: RequestEvent) {
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings).bind(throttle);
  router.post("/things", addThing).bindFunc(maintenance);
}
