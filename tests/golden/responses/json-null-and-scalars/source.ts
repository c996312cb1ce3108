// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function name(): string;
declare function find(): { id: string } | null;

function getName(e: RequestEvent) {
  return e.json(200, name());
}

function isOpen(e: RequestEvent) {
  return e.json(200, name() === "open");
}

function findOne(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/name", getName);
  router.get("/open", isOpen);
  router.get("/one", findOne);
}
