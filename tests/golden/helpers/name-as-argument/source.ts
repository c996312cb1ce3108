// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): Promise<string[]>;

function text(e: RequestEvent, name: string) {
  return e.query(name);
}

function integer(name: string, e: RequestEvent, fallback: number) {
  return Number.parseInt(e.query(name) ?? "", 10) || fallback;
}

function headerOr(fallback: string, name: string, { event }: { event: RequestEvent }) {
  return event.header(name) ?? fallback;
}

async function listThings(e: RequestEvent) {
  const q = text(e, "q");
  const page = integer("page", e, 1);
  const size = integer("size", e, 50);
  return e.json(200, await list(q, page, size, headerOr("main", "X-Tenant", { event: e })));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
