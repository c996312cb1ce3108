import type { VersionedRouter } from "../../../../src/index.ts";
import { addTodo, listTodos, notes } from "./all.ts";

export function routes(router: VersionedRouter): void {
  router.get("/todos", listTodos);
  router.post("/todos", addTodo);
  router.get("/notes", notes.list);
}
