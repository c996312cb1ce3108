// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function readAll(e: RequestEvent, ...names: string[]) {
  return names.map((name) => e.query(name));
}

function pick(e: RequestEvent, names: readonly string[]) {
  const picked: Record<string, string | undefined> = {};
  for (const name of names) picked[name] = e.query(name);
  return picked;
}

function listThings(e: RequestEvent) {
  return e.json(200, list(readAll(e, "from", "to")));
}

function listOthers(e: RequestEvent) {
  return e.json(200, list(pick(e, ["author", "year"])));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.get("/others", listOthers);
}
