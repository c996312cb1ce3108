// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

// API_DESC Not served by any route.
function handler(e: RequestEvent) {
  return e.json(418, { never: e.query("never") });
}

// API_DESC Lists cats.
function listCats(e: RequestEvent) {
  return e.json(200, { cats: e.query("color") });
}

// API_DESC Lists dogs.
function listDogs(e: RequestEvent) {
  return e.json(200, { dogs: e.query("breed") });
}

// API_DESC Lists birds.
function listBirds(e: RequestEvent) {
  return e.json(200, { birds: e.query("song") });
}

function addOne(router: VersionedRouter, path: string, handler: Handler): void {
  router.get(path, handler);
}

function addOther(router: VersionedRouter, { path, handler }: { path: string; handler: Handler }): void {
  router.get(path, handler);
}

const entries: [string, Handler][] = [["/fish", (e) => e.json(200, { fish: e.query("water") })]];

export function routes(router: VersionedRouter): void {
  addOne(router, "/cats", listCats);
  addOther(router, { path: "/dogs", handler: listDogs });
  for (const handler of [listBirds]) router.get("/birds", handler);
  for (const entry of entries) router.get(...entry);
  if (entries.length === 0) router.get("/never", handler);
}
