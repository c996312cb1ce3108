// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type NewTodo, parseBody, parseChecked, readTodo } from "./body.ts";

interface Rename {
  name: string;
}

async function createTodo(e: RequestEvent) {
  return e.json(201, await readTodo(e));
}

async function renameTodo(e: RequestEvent) {
  const { name } = await parseBody<Rename>(e);
  return e.json(200, { title: name } satisfies NewTodo);
}

async function checkTodo(e: RequestEvent) {
  await parseChecked<Rename>(e, ({ name }) => name !== "");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/todos", createTodo);
  router.put("/todos/name", renameTodo);
  router.post("/todos/check", checkTodo);
}
