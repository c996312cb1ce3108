// API_SOURCE
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { Bulk, NewTodo, type Todo, TodoChanges, TodoQuery } from "./schemas.ts";
import { allTodos, findTodo, removeTodo, saveTodo } from "./store.ts";

async function existing(e: RequestEvent<"id">): Promise<Todo> {
  const todo = await findTodo(e.pathValue("id"));
  if (!todo) throw e.error(404, "There is no such todo.");
  return todo;
}

/** Lists todos. */
async function listTodos(e: RequestEvent) {
  const query = TodoQuery.safeParse(Object.fromEntries(e.url.searchParams));
  if (!query.success) throw e.error(400, "The query is wrong.", z.flattenError(query.error));
  const { search, priority, sort, page, per_page } = query.data;
  const found = (await allTodos())
    .filter((todo) => (!search || todo.title.includes(search)) && (!priority || todo.priority === priority))
    .sort((a, b) => (sort === "title" ? a.title.localeCompare(b.title) : +b.createdAt - +a.createdAt));
  const items = found.slice((page - 1) * per_page, page * per_page);
  return e.json(200, { items, total: found.length });
}

/** Creates a todo. */
async function createTodo(e: RequestEvent) {
  const { title, notes, priority, labels } = await e.bindBody(NewTodo);
  const todo: Todo = {
    id: randomUUID(),
    title,
    notes: notes ?? null,
    priority,
    labels: labels ?? [],
    done: false,
    createdAt: new Date(),
  };
  await saveTodo(todo);
  return e.json(201, todo);
}

/** Returns one todo. */
async function getTodo(e: RequestEvent<"id">) {
  return e.json(200, await existing(e));
}

/** Changes a todo. */
async function changeTodo(e: RequestEvent<"id">) {
  const todo = await existing(e);
  const { title, done, priority } = TodoChanges.parse(await e.bindBody());
  const changed: Todo = {
    ...todo,
    title: title ?? todo.title,
    done: done ?? todo.done,
    priority: priority ?? todo.priority,
  };
  await saveTodo(changed);
  return e.json(200, changed);
}

/** Completes or postpones many todos at once. */
async function changeMany(e: RequestEvent) {
  const bulk = await e.bindBody(Bulk);
  const changed: string[] = [];
  for (const id of bulk.ids) {
    const todo = await findTodo(id);
    if (!todo) continue;
    await saveTodo(bulk.action === "complete" ? { ...todo, done: true } : todo);
    changed.push(id);
  }
  return e.json(200, { changed });
}

/** Deletes a todo. */
async function deleteTodo(e: RequestEvent<"id">) {
  if (!(await removeTodo(e.pathValue("id")))) throw e.error(404, "There is no such todo.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/todos", listTodos);
  router.post("/todos", createTodo);
  router.get("/todos/{id}", getTodo);
  router.patch("/todos/{id}", changeTodo);
  router.delete("/todos/{id}", deleteTodo);
  router.post("/todo-batches", changeMany);
}
