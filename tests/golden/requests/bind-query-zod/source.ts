// API_SOURCE
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const TodoQuery = z.object({
  page: z.coerce.number().int().min(1).default(1).describe("The page, from 1."),
  tag: z.array(z.string().max(20)).optional().describe("Only todos with one of these tags."),
  state: z.enum(["open", "done"]),
  api_key: z.string().default("s3cr3t").describe("The key."),
});

const Search = z.object({ q: z.string().min(1) });

declare const todos: {
  list(query: z.infer<typeof TodoQuery>): Promise<{ id: string; title: string }[]>;
  find(text: string): Promise<{ id: string }[]>;
};

/** Lists todos. */
async function listTodos(e: RequestEvent) {
  return e.json(200, await todos.list(await e.bindQuery(TodoQuery)));
}

/** Finds todos by their text. */
async function findTodos(e: RequestEvent) {
  const { q } = await e.bindQuery(Search);
  return e.json(200, await todos.find(q));
}

export function routes(router: VersionedRouter): void {
  router.get("/todos", listTodos);
  router.get("/todos/search", findTodos);
}
