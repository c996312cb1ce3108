// API_SOURCE
import { randomUUID } from "node:crypto";
import { type RequestEvent, type Router, requireAuth } from "../../src/index.ts";
import { type TodoRow, tablesOf } from "./tables.ts";

interface Todo {
  id: string;
  title: string;
  done: boolean;
}

interface NewTodo {
  /** @minLength 1 */
  title: string;
  done?: boolean;
}

// API_DESC Lists all todos, newest first.
// API_TAGS todos
async function listTodos(e: RequestEvent) {
  const tables = await tablesOf(e);
  const rows = await tables
    .selectFrom("todos")
    .selectAll()
    .where("archived", "=", 0)
    .orderBy("created", "desc")
    .execute();
  return e.json(200, rows.map(toTodo));
}

// API_DESC Returns one todo.
// API_TAGS todos
async function getTodo(e: RequestEvent<"id">) {
  return e.json(200, toTodo(await findTodo(e)));
}

// API_DESC Adds a todo.
// API_TAGS todos
async function createTodo(e: RequestEvent) {
  const { title, done = false } = checkTodo(e, await e.bindBody<NewTodo>());
  const row = {
    id: randomUUID(),
    owner: e.auth!.id,
    title,
    done: Number(done),
    due: null,
    created: Date.now(),
    archived: 0,
  };
  await (await tablesOf(e)).insertInto("todos").values(row).execute();
  return e.json(201, toTodo(row));
}

// API_DESC Replaces a todo.
// API_TAGS todos
async function updateTodo(e: RequestEvent<"id">) {
  const { id } = await findTodo(e);
  const { title, done = false } = checkTodo(e, await e.bindBody<NewTodo>());
  await (await tablesOf(e))
    .updateTable("todos")
    .set({ title, done: Number(done) })
    .where("id", "=", id)
    .execute();
  return e.json(200, { id, title, done } satisfies Todo);
}

// API_DESC Removes a todo.
// API_TAGS todos
async function deleteTodo(e: RequestEvent<"id">) {
  const { id } = await findTodo(e);
  await (await tablesOf(e)).deleteFrom("todos").where("id", "=", id).execute();
  return e.noContent();
}

export function mountVersion1(router: Router): void {
  const handlers = {
    list: listTodos,
    get: getTodo,
    create: createTodo,
    update: updateTodo,
    delete: deleteTodo,
  };
  router.crud("todos", handlers, requireAuth());
}

export async function findTodo(e: RequestEvent<"id">): Promise<TodoRow> {
  const tables = await tablesOf(e);
  const row = await tables
    .selectFrom("todos")
    .selectAll()
    .where("id", "=", e.pathValue("id"))
    .executeTakeFirst();
  if (row === undefined) throw e.error(404, "Todo not found.");
  return row;
}

function checkTodo(e: RequestEvent<never>, { title, done }: NewTodo): NewTodo {
  if (typeof title !== "string" || title.trim() === "") {
    throw e.error(400, "A title is required.", { title: { code: "required", message: "Enter a title." } });
  }
  if (done !== undefined && typeof done !== "boolean") {
    throw e.error(400, "The value of done must be true or false.", {
      done: { code: "invalid", message: "Use true or false." },
    });
  }
  return { title: title.trim(), ...(done !== undefined && { done }) };
}

function toTodo({ id, title, done }: TodoRow): Todo {
  return { id, title, done: done === 1 };
}
