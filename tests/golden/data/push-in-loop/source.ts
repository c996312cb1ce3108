// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Row {
  id: string;
  amount: number;
}

declare const rows: Row[];

function evolving(e: RequestEvent) {
  const ids = [];
  for (const row of rows) ids.push(row.id);
  return e.json(200, ids);
}

function objects(e: RequestEvent) {
  const lines: { label: string; total: number }[] = [];
  for (const { id, amount } of rows) lines.push({ label: id, total: amount * 2 });
  return e.json(200, { lines });
}

function grouped(e: RequestEvent) {
  const groups: Record<string, Row[]> = {};
  for (const row of rows) (groups[row.id] ??= []).push(row);
  return e.json(200, groups);
}

export function routes(router: VersionedRouter): void {
  router.get("/evolving", evolving);
  router.get("/objects", objects);
  router.get("/grouped", grouped);
}
