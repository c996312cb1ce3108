import { z } from "zod";
import { Todo } from "./schemas.ts";

interface Table {
  all(): Promise<unknown[]>;
  byId(id: string): Promise<unknown>;
  put(todo: Todo): Promise<void>;
  remove(id: string): Promise<boolean>;
}

declare const table: Table;

/** Rows are checked, too: an old row that does not fit is a bug of ours. */
export async function allTodos(): Promise<Todo[]> {
  return z.array(Todo).parse(await table.all());
}

export async function findTodo(id: string): Promise<Todo | undefined> {
  const row = await table.byId(id);
  return row === undefined ? undefined : Todo.parse(row);
}

export const saveTodo = (todo: Todo) => table.put(todo);
export const removeTodo = (id: string) => table.remove(id);
