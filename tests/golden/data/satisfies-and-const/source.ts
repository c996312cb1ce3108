// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Status {
  state: "up" | "down";
  detail?: string;
}

function satisfied(e: RequestEvent) {
  return e.json(200, { state: "up" } satisfies Status);
}

function asserted(e: RequestEvent) {
  return e.json(200, { state: "up" } as Status);
}

function constant(e: RequestEvent) {
  return e.json(200, { state: "up", code: 7, list: ["a", "b"] } as const);
}

export function routes(router: VersionedRouter): void {
  router.get("/satisfied", satisfied);
  router.get("/asserted", asserted);
  router.get("/constant", constant);
}
