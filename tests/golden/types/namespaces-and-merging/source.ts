// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare namespace Api {
  interface Todo {
    id: string;
    state: State;
  }
  type State = "open" | "done";
}

interface Merged {
  first: string;
}

interface Merged {
  second?: number;
}

interface Page<T = Api.Todo> {
  items: T[];
}

declare function todo(): Api.Todo;
declare function merged(): Merged;
declare function page(): Page;

function getTodo(e: RequestEvent) {
  return e.json(200, todo());
}

function getMerged(e: RequestEvent) {
  return e.json(200, merged());
}

function listTodos(e: RequestEvent) {
  return e.json(200, page());
}

export function routes(router: VersionedRouter): void {
  router.get("/todo", getTodo);
  router.get("/merged", getMerged);
  router.get("/todos", listTodos);
}
