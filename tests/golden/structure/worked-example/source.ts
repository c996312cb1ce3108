import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Todo {
  id: string;
  title: string;
}

declare function findTodos(limit: number): Promise<Todo[]>;

function readLimit(e: RequestEvent): number {
  const limit = Number(e.query("limit") ?? 20);
  if (limit < 1 || limit > 100) throw e.error(400, "The limit must be between 1 and 100.");
  return limit;
}

async function list(e: RequestEvent) {
  const todos = await findTodos(readLimit(e));
  return e.json(200, todos);
}

export function routes(router: VersionedRouter): void {
  router.get("/todos", list);
}
