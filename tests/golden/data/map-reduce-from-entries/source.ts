// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Row {
  id: string;
  amount: number;
}

declare const rows: Row[];

function mapped(e: RequestEvent) {
  return e.json(
    200,
    rows.filter(({ amount }) => amount > 0).map(({ id }) => ({ id, href: `/rows/${id}` })),
  );
}

function reduced(e: RequestEvent) {
  const total = rows.reduce((sum, { amount }) => sum + amount, 0);
  const byId = rows.reduce<Record<string, Row>>((all, row) => ({ ...all, [row.id]: row }), {});
  return e.json(200, { total, byId });
}

function fromEntries(e: RequestEvent) {
  return e.json(200, Object.fromEntries(rows.map(({ id, amount }) => [id, amount])));
}

function grouped(e: RequestEvent) {
  return e.json(200, { ids: [...new Set(rows.map(({ id }) => id))], keys: Object.keys(rows[0] ?? {}) });
}

export function routes(router: VersionedRouter): void {
  router.get("/mapped", mapped);
  router.get("/reduced", reduced);
  router.get("/entries", fromEntries);
  router.get("/grouped", grouped);
}
