// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { z } from "zod";

const NewTodo = z.object({
  title: z.string().min(1).max(200),
  done: z.boolean().default(false),
  priority: z.enum(["low", "high"]).optional(),
});

declare function save(todo: z.infer<typeof NewTodo>): Promise<void>;

async function createTodo(e: RequestEvent) {
  const todo = await e.bindBody(NewTodo);
  await save(todo);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/todos", createTodo);
}
