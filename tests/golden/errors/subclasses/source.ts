// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";
import { Conflict, HttpError, Locked, NotFound } from "./errors.ts";

declare function find(id: string): { isLocked: boolean; version: number } | undefined;

function getThing(e: RequestEvent<"id">) {
  const thing = find(e.pathValue("id"));
  if (!thing) throw new NotFound("thing");
  return e.json(200, { version: thing.version });
}

function changeThing(e: RequestEvent<"id">) {
  const thing = find(e.pathValue("id"));
  if (!thing) throw new ApiError(404, "There is none.");
  if (thing.isLocked) throw new HttpError(423, "It is locked.");
  if (thing.version > 1) throw new Conflict();
  return e.noContent();
}

function lockThing(e: RequestEvent<"id">) {
  if (find(e.pathValue("id"))?.isLocked) throw new Locked();
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/things/{id}", getThing);
  router.patch("/things/{id}", changeThing);
  router.post("/things/{id}/lock", lockThing);
}
