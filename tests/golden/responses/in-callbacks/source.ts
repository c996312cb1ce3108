// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Row {
  id: string;
}

declare function withConnection<T>(work: (select: () => Promise<Row[]>) => Promise<T>): Promise<T>;
declare const handlers: Map<string, (rows: Row[]) => string>;

async function listRows(e: RequestEvent) {
  return withConnection(async (select) => {
    const rows = await select();
    if (rows.length === 0) return e.noContent();
    return e.json(200, rows);
  });
}

function chained(e: RequestEvent) {
  return withConnection((select) => select())
    .then((rows) => e.json(200, rows))
    .finally(() => handlers.clear());
}

export function routes(router: VersionedRouter): void {
  router.get("/rows", listRows);
  router.get("/chained", chained);
}
