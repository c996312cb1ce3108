// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function otherwiseThrown(e: RequestEvent) {
  const owner = e.query("owner");
  if (owner) {
    return e.json(200, list(owner));
  } else {
    throw e.error(400, "Whose?");
  }
}

function otherwiseAnswered(e: RequestEvent) {
  const kind = e.query("kind");
  if (kind === "book" || kind === "film") return e.json(200, list(kind));
  else return e.json(400, { error: "There is no such kind." });
}

function chosen(e: RequestEvent) {
  const fail = (): never => {
    throw e.error(400, "Up or down.");
  };
  const sort = e.query("sort");
  const order = sort !== undefined && ["asc", "desc"].includes(sort) ? sort : fail();
  return e.json(200, list(order));
}

export function routes(router: VersionedRouter): void {
  router.get("/thrown", otherwiseThrown);
  router.get("/answered", otherwiseAnswered);
  router.get("/chosen", chosen);
}
