// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

function idOf(e: RequestEvent): string {
  return e.pathValue("id");
}

function getUser(e: RequestEvent) {
  return e.json(200, { id: idOf(e) });
}

function getTeam(e: RequestEvent) {
  return e.json(200, { name: e.pathValue("nmae") });
}

export function routes(router: VersionedRouter): void {
  router.get("/users/{id}", getUser);
  router.get("/me", getUser);
  router.get("/teams/{name}", getTeam);
}
