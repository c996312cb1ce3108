// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];
declare const isStrict: boolean;

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

function thrownEitherWay(e: RequestEvent) {
  const reason = e.query("reason");
  if (!reason) {
    if (isStrict) throw e.error(400, "Why?");
    else throw e.error(422, "It would be nice to know why.");
  }
  return e.json(200, list(reason));
}

export function routes(router: VersionedRouter): void {
  router.get("/thrown", otherwiseThrown);
  router.get("/answered", otherwiseAnswered);
  router.get("/chosen", chosen);
  router.get("/either", thrownEitherWay);
}
