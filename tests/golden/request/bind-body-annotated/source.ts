// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface NewTodo {
  title: string;
}

declare function save(todo: NewTodo): Promise<void>;

async function annotated(e: RequestEvent) {
  const todo: NewTodo = await e.bindBody();
  await save(todo);
  return e.noContent();
}

async function destructured(e: RequestEvent) {
  const { title }: NewTodo = await e.bindBody();
  await save({ title: title.trim() });
  return e.noContent();
}

async function asserted(e: RequestEvent) {
  const todo = (await e.bindBody()) as NewTodo;
  await save(todo);
  return e.noContent();
}

async function assignedLater(e: RequestEvent) {
  let todo: NewTodo;
  todo = await e.bindBody();
  await save(todo);
  return e.noContent();
}

async function fromTheCall(e: RequestEvent) {
  await save(await e.bindBody());
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/annotated", annotated);
  router.post("/destructured", destructured);
  router.post("/asserted", asserted);
  router.post("/assigned-later", assignedLater);
  router.post("/from-the-call", fromTheCall);
}
