// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Row {
  id: string;
  amount: number;
}

declare const rows: Row[];
declare const byId: Map<string, Row>;
declare function connect(): Disposable & { first(): Row };

function listRows(e: RequestEvent) {
  return e.json(200, {
    values: Array.from(byId.values()),
    ids: [...byId.keys()].toSorted(),
    last: rows.at(-1) ?? null,
    copy: structuredClone(rows),
    sum: Math.max(...rows.map(({ amount }) => amount)),
    text: JSON.stringify(rows),
    pairs: Object.entries({ a: 1 }).map(([name, value]) => ({ name, value })),
  });
}

function getFirst(e: RequestEvent) {
  using connection = connect();
  return e.json(200, connection.first());
}

export function routes(router: VersionedRouter): void {
  router.get("/rows", listRows);
  router.get("/first", getFirst);
}
