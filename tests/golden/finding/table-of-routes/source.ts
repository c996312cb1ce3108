// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

// API_DESC Lists cats.
function listCats(e: RequestEvent) {
  return e.json(200, { cats: e.queryAll("color") });
}

// API_DESC Lists dogs.
function listDogs(e: RequestEvent) {
  return e.json(200, { dogs: e.queryAll("breed") });
}

const table = [
  { path: "/cats", handler: listCats },
  { path: "/dogs", handler: listDogs },
];

const byName: Record<string, Handler> = { cats: listCats, dogs: listDogs };

export function routes(router: VersionedRouter): void {
  for (const { path, handler } of table) router.get(path, handler);
  for (const [name, handler] of Object.entries(byName)) router.get(`/all/${name}`, handler);
}
