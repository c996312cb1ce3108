// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Options {
  name: string;
  trim?: boolean;
}

declare function list(...values: unknown[]): string[];

function read(e: RequestEvent, { name, trim = false }: Options) {
  const value = e.query(name);
  return trim ? value?.trim() : value;
}

function readAll(e: RequestEvent, options: Options) {
  return e.queryAll(options.name);
}

function listThings(e: RequestEvent) {
  const to: Options = { name: "to" };
  return e.json(200, list(read(e, { name: "from", trim: true }), read(e, to), readAll(e, { name: "tag" })));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
