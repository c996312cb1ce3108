// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { Kysely } from "kysely";

interface Tables {
  todos: { id: string; title: string; done: 0 | 1; due: string | null };
}

declare const db: Kysely<Tables>;

async function listTodos(e: RequestEvent) {
  const rows = await db.selectFrom("todos").select(["id", "title", "due"]).where("done", "=", 0).execute();
  return e.json(200, rows);
}

async function getTodo(e: RequestEvent<"id">) {
  const row = await db.selectFrom("todos").selectAll().where("id", "=", e.pathValue("id")).executeTakeFirst();
  if (!row) throw e.error(404, "There is none.");
  const { done, ...rest } = row;
  return e.json(200, { ...rest, isDone: done === 1 });
}

export function routes(router: VersionedRouter): void {
  router.get("/todos", listTodos);
  router.get("/todos/{id}", getTodo);
}
