// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const hidden: boolean[];

function goesOn(e: RequestEvent) {
  let order = 1;
  switch (e.query("sort")) {
    case "desc":
      order = -1;
      break;
  }
  return e.json(200, { order });
}

function servesOthers(e: RequestEvent) {
  switch (e.query("sort")) {
    case "desc":
      return e.json(200, { order: -1 });
  }
  return e.json(200, { order: 1 });
}

function refusesOthers(e: RequestEvent) {
  switch (e.query("sort")) {
    case "desc":
      return e.json(200, { order: -1 });
    case "asc":
      return e.json(200, { order: 1 });
  }
  throw e.error(400, "Sort by asc or desc.");
}

function servesMissing(e: RequestEvent) {
  switch (e.query("sort")) {
    case "desc":
      return e.json(200, { order: -1 });
    case undefined:
      return e.json(200, { order: 1 });
  }
  return e.json(400, { reason: "Sort by desc." });
}

function servesInLoop(e: RequestEvent) {
  const sort = e.query("sort");
  if (sort === "asc") return e.json(200, { order: 1 });
  for (const isHidden of hidden) {
    if (isHidden) return e.json(200, { order: 2 });
  }
  throw e.error(400, "Sort by asc.");
}

export function routes(router: VersionedRouter): void {
  router.get("/goes-on", goesOn);
  router.get("/serves-others", servesOthers);
  router.get("/refuses-others", refusesOthers);
  router.get("/serves-missing", servesMissing);
  router.get("/serves-in-loop", servesInLoop);
}
