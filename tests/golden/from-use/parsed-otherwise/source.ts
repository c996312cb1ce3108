// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Filter {
  name: string;
}

declare function list(...values: unknown[]): string[];

function listThings(e: RequestEvent) {
  const filter = JSON.parse(e.query("filter") ?? "{}") as Filter;
  const text = e.query("since");
  const since = text ? new Date(text) : undefined;
  const id = e.query("id");
  if (id !== undefined && !/^\d+$/.test(id)) throw e.error(400, "An id has digits.");
  const label = `n-${e.query("label")}`;
  const length = Number(e.query("name")?.length);
  return e.json(200, list(filter, since, id, label, length));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
