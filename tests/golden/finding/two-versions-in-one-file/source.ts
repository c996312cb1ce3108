// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Todo {
  id: string;
}

declare function find(): Todo;

function getTodo(e: RequestEvent) {
  return e.json(200, find());
}

function getTodo2(e: RequestEvent) {
  return e.json(200, { ...find(), tenant: e.header("X-Tenant") ?? "main" });
}

export function routes(router: VersionedRouter): void {
  const first = router.setPrefix("/first");
  first.get("/todo", getTodo);
  const second = router.setPrefix("/second");
  second.get("/todo", getTodo2);
  second.get("/old", getTodo);
}
