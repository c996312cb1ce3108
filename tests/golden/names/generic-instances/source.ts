// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Todo {
  id: string;
}

interface Page<T> {
  items: T[];
  total: number;
}

interface Pair<A, B> {
  first: A;
  second: B;
}

declare function page(): Page<Todo>;
declare function names(): Page<string>;
declare function pair(): Pair<Todo, Page<Todo>>;

function listTodos(e: RequestEvent) {
  return e.json(200, page());
}

function listNames(e: RequestEvent) {
  return e.json(200, names());
}

function getPair(e: RequestEvent) {
  return e.json(200, pair());
}

export function routes(router: VersionedRouter): void {
  router.get("/todos", listTodos);
  router.get("/names", listNames);
  router.get("/pair", getPair);
}
