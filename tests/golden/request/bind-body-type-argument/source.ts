// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface NewTodo {
  title: string;
  done?: boolean;
}

declare function save(todo: NewTodo): Promise<void>;

async function createTodo(e: RequestEvent) {
  const todo = await e.bindBody<NewTodo>();
  await save(todo);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/todos", createTodo);
}
