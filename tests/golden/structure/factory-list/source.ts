// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { makeGet, makeList } from "./factories.ts";

// API_DESC List the cats of the shelter. The ones that wait longest come first.
const listCats = makeList("cats");

/** Return one cat. */
const getCat = makeGet("cats", "There is no such cat.");

export function routes(router: VersionedRouter): void {
  router.get("/cats", listCats);
  router.get("/cats/{id}", getCat);
  router.get("/dogs", makeList("dogs", 10));
}
