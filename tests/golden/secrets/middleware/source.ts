// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { cover, guard } from "./guard.ts";

function list(e: RequestEvent) {
  return e.json(200, { page: Number.parseInt(e.query("page") ?? "1", 10) });
}

function covered(e: RequestEvent) {
  if (e.query("stage") !== "canary-stage-a" && e.query("stage") !== "canary-stage-b") throw e.error(400);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/list", list).bindFunc(guard);
  router.get("/covered", covered).bindFunc(cover);
}
