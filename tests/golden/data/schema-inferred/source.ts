// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { z } from "zod";

const Cat = z.object({
  name: z.string(),
  lives: z.number().int(),
  color: z.enum(["black", "white"]).nullable(),
  nickname: z.string().optional(),
});

type Cat = z.infer<typeof Cat>;

const Branch = z.object({
  name: z.string(),
  get branches() {
    return z.array(Branch);
  },
});

interface Page<T> {
  items: T[];
  next?: Page<T>;
}

declare function tree(): Promise<Page<z.infer<typeof Branch>>>;
declare function load(): Promise<unknown>;
declare function all(): Promise<Cat[]>;

async function getCat(e: RequestEvent) {
  return e.json(200, Cat.parse(await load()));
}

async function listCats(e: RequestEvent) {
  return e.json(200, { cats: await all() });
}

async function getTree(e: RequestEvent) {
  return e.json(200, { tree: await tree() });
}

export function routes(router: VersionedRouter): void {
  router.get("/cat", getCat);
  router.get("/cats", listCats);
  router.get("/tree", getTree);
}
