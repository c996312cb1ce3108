// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Todo {
  id: string;
}

declare function find(id: string): Promise<Todo | undefined>;

async function getTodo(e: RequestEvent<"id">) {
  const todo = await find(e.pathValue("id"));
  if (!todo) throw e.error(404, "There is no such todo.", { id: e.pathValue("id") });
  return e.json(200, todo);
}

async function expectTodo(e: RequestEvent<"id">) {
  const todo = (await find(e.pathValue("id"))) ?? fail(e);
  return e.json(200, todo);
}

function fail(e: RequestEvent): never {
  const error = e.error(410, "It is gone.");
  throw error;
}

export function routes(router: VersionedRouter): void {
  router.get("/todos/{id}", getTodo);
  router.get("/expected/{id}", expectTodo);
}
