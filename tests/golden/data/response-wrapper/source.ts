// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Envelope<T> {
  data: T;
  meta: { took: number };
}

interface Todo {
  id: string;
}

declare function all(): Promise<Todo[]>;

function envelope<T>(data: T): Envelope<T> {
  return { data, meta: { took: performance.now() } };
}

const reply = <T>(e: RequestEvent, data: T) => e.json(200, envelope(data));

async function listTodos(e: RequestEvent) {
  return e.json(200, envelope(await all()));
}

async function getTodo(e: RequestEvent) {
  const [todo] = await all();
  if (!todo) throw e.error(404, "There is none.");
  return reply(e, todo);
}

export function routes(router: VersionedRouter): void {
  router.get("/todos", listTodos);
  router.get("/todo", getTodo);
}
