// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Todo {
  id: string;
  due: string | null;
  owner?: { name: string };
}

declare function find(): Todo | undefined;

function byThrow(e: RequestEvent) {
  const todo = find();
  if (todo === undefined) throw e.error(404, "There is none.");
  return e.json(200, todo);
}

function byField(e: RequestEvent) {
  const todo = find();
  if (!todo?.due) throw e.error(404, "There is none.");
  return e.json(200, { due: todo.due });
}

function optionalChain(e: RequestEvent) {
  const todo = find();
  return e.json(200, { owner: todo?.owner?.name, due: todo?.due ?? null });
}

function nonNull(e: RequestEvent) {
  return e.json(200, find()!);
}

function fallback(e: RequestEvent) {
  return e.json(200, { name: find()?.owner?.name ?? "nobody" });
}

export function routes(router: VersionedRouter): void {
  router.get("/throw", byThrow);
  router.get("/field", byField);
  router.get("/chain", optionalChain);
  router.get("/non-null", nonNull);
  router.get("/fallback", fallback);
}
