// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function read(e: RequestEvent, name: string, isRequired: boolean) {
  const value = e.query(name);
  if (isRequired && !value) throw e.error(400, `Give ${name}.`);
  return value;
}

function listThings(e: RequestEvent) {
  return e.json(200, list(read(e, "from", true), read(e, "to", false)));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
