// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Row {
  id: string;
}

declare function rows(): Promise<Row[]>;
declare function toText(rows: Row[]): string;

async function listRows(e: RequestEvent) {
  const all = await rows();
  if (e.query("format") === "text") return e.text(200, toText(all));
  return e.json(200, all);
}

export function routes(router: VersionedRouter): void {
  router.get("/rows", listRows);
}
