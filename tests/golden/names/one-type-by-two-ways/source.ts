// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { Task } from "./index.ts";
import type { Todo } from "./model.ts";

type Local = Todo;

declare function todo(): Todo;
declare function task(): Task;
declare function local(): Local;

function getTodo(e: RequestEvent) {
  return e.json(200, todo());
}

function getTask(e: RequestEvent) {
  return e.json(200, task());
}

function getLocal(e: RequestEvent) {
  return e.json(200, local());
}

export function routes(router: VersionedRouter): void {
  router.get("/todo", getTodo);
  router.get("/task", getTask);
  router.get("/local", getLocal);
}
