// API_SOURCE
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { z } from "zod";
import {
  bodyLimit,
  type RequestEvent,
  type Router,
  requireAuth,
  requireSuperuserAuth,
  type UploadedFile,
} from "../../src/index.ts";
import { archiveDone, countTodos } from "./housekeeping.ts";
import { type TodoRow, tablesOf } from "./tables.ts";
import { findTodo } from "./v1.ts";

interface Todo {
  id: string;
  owner: string;
  title: string;
  done: boolean;
  /** The due date, if any. */
  due: string | null;
  created: string;
}

interface Page<T> {
  page: number;
  perPage: number;
  totalItems: number;
  items: T[];
}

const NewTodo = z.object({
  title: z.string().trim().min(1).max(200),
  done: z.boolean().default(false),
  due: z.iso.datetime().nullable().default(null),
});

const TodoChange = z.object({
  title: z.string().trim().min(1).max(200).optional(),
  done: z.boolean().optional(),
  due: z.iso.datetime().nullable().optional(),
});

// API_DESC Lists todos in pages. Search with q and filter with done.
// API_TAGS todos
async function listTodos(e: RequestEvent) {
  const page = positiveInteger(e, "page", 1);
  const perPage = Math.min(positiveInteger(e, "perPage", 20), 100);
  const text = e.query("q");
  const done = e.query("done");
  if (done !== undefined && done !== "true" && done !== "false")
    throw e.error(400, "The value of done must be true or false.");
  let select = (await tablesOf(e)).selectFrom("todos").where("archived", "=", 0);
  if (text) select = select.where("title", "like", `%${text}%`);
  if (done !== undefined) select = select.where("done", "=", done === "true" ? 1 : 0);
  const { total } = await select
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await select
    .selectAll()
    .orderBy("created", "desc")
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return e.json(200, {
    page,
    perPage,
    totalItems: Number(total),
    items: rows.map(toTodo),
  } satisfies Page<Todo>);
}

// API_DESC Returns one todo.
// API_TAGS todos
async function getTodo(e: RequestEvent<"id">) {
  return e.json(200, toTodo(await findTodo(e)));
}

// API_DESC Adds a todo.
// API_TAGS todos
async function createTodo(e: RequestEvent) {
  const { title, done, due } = await e.bindBody(NewTodo);
  const row = newRow(e, title, { done: Number(done), due: due === null ? null : Date.parse(due) });
  await (await tablesOf(e)).insertInto("todos").values(row).execute();
  return e.json(201, toTodo(row));
}

// API_DESC Updates the given fields of one of your todos.
// API_TAGS todos
async function changeTodo(e: RequestEvent<"id">) {
  const row = await findOwnTodo(e);
  const { title = row.title, done, due } = await e.bindBody(TodoChange);
  const changed: TodoRow = {
    ...row,
    title,
    done: done === undefined ? row.done : Number(done),
    due: due === undefined ? row.due : due === null ? null : Date.parse(due),
  };
  await (await tablesOf(e)).updateTable("todos").set(changed).where("id", "=", row.id).execute();
  return e.json(200, toTodo(changed));
}

// API_DESC Removes one of your todos.
// API_TAGS todos
async function deleteTodo(e: RequestEvent<"id">) {
  const { id } = await findOwnTodo(e);
  await (await tablesOf(e)).deleteFrom("todos").where("id", "=", id).execute();
  return e.noContent();
}

// API_DESC Adds a todo for every line of an uploaded text file.
// API_TAGS todos
async function importTodos(e: RequestEvent) {
  const { file } = await e.bindBody<{ file: UploadedFile }>();
  if (file === undefined) throw e.error(400, "Upload a text file in the file field.");
  const titles = Buffer.from(await file.bytes())
    .toString()
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const rows = titles.slice(0, 1_000).map((title) => newRow(e, title.slice(0, 200)));
  if (rows.length > 0) await (await tablesOf(e)).insertInto("todos").values(rows).execute();
  return e.json(201, { imported: rows.length });
}

// API_DESC Exports all todos as CSV.
// API_TAGS todos
async function exportTodos(e: RequestEvent) {
  const rows = await (await tablesOf(e)).selectFrom("todos").selectAll().orderBy("created").execute();
  const lines = rows.map(({ id, title, done }) => `${id},${done === 1},"${title.replaceAll('"', '""')}"\n`);
  e.setHeader("Content-Disposition", 'attachment; filename="todos.csv"');
  return e.stream(200, "text/csv; charset=utf-8", Readable.from(["id,done,title\n", ...lines]));
}

// API_DESC Returns the number of todos.
// API_TAGS statistics
async function getStatistics(e: RequestEvent) {
  return e.json(200, await countTodos(await e.app.database()));
}

// API_DESC Archives todos that were done a month ago.
// API_TAGS housekeeping
async function runArchive(e: RequestEvent) {
  const archived = await archiveDone(await e.app.database(), Date.now());
  e.app.logger.info("Archived todos", { archived });
  return e.json(200, { archived });
}

export function mountVersion2(router: Router): void {
  router.crud(
    "todos",
    { list: listTodos, get: getTodo, create: createTodo, patch: changeTodo, delete: deleteTodo },
    requireAuth(),
  );
  router.post("/todos/import", importTodos).bind(requireAuth(), bodyLimit(200_000));
  router.get("/todos/export", exportTodos);
  router.get("/statistics", getStatistics);
  router.post("/housekeeping/archive", runArchive).bind(requireSuperuserAuth());
}

async function findOwnTodo(e: RequestEvent<"id">): Promise<TodoRow> {
  const row = await findTodo(e);
  if (row.owner !== e.auth!.id) throw e.error(403, "This todo belongs to another person.");
  return row;
}

function newRow(e: RequestEvent<never>, title: string, rest: Partial<TodoRow> = {}): TodoRow {
  return {
    id: randomUUID(),
    owner: e.auth!.id,
    title,
    done: 0,
    due: null,
    created: Date.now(),
    archived: 0,
    ...rest,
  };
}

function positiveInteger(e: RequestEvent<never>, name: string, fallback: number): number {
  const value = Number(e.query(name) ?? fallback);
  if (Number.isInteger(value) && value > 0) return value;
  const problem = { code: "invalid", message: "Use a whole number greater than 0." };
  throw e.error(400, `The value of ${name} must be a positive integer.`, { [name]: problem });
}

function toTodo({ id, owner, title, done, due, created }: TodoRow): Todo {
  return {
    id,
    owner,
    title,
    done: done === 1,
    due: due === null ? null : isoTime(due),
    created: isoTime(created),
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
