import type { RequestEvent } from "../../../../src/index.ts";

export interface NewTodo {
  title: string;
}

export async function readTodo(e: RequestEvent): Promise<NewTodo> {
  const { title } = await e.bindBody<NewTodo>();
  return { title: title.trim() };
}

export async function parseBody<T>(e: RequestEvent): Promise<T> {
  return e.bindBody<T>();
}

export async function parseChecked<T>(e: RequestEvent, check: (value: T) => boolean): Promise<T> {
  const value: T = await e.bindBody();
  if (!check(value)) throw e.error(422, "That cannot be processed.");
  return value;
}
