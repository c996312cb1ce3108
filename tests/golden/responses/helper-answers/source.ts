// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { created, ok, problem } from "./answers.ts";

interface Thing {
  id: string;
  name: string;
}

declare function find(): Promise<Thing[]>;
declare function create(): Promise<Thing | "taken">;

async function listThings(e: RequestEvent) {
  return ok(e, await find());
}

async function createThing(e: RequestEvent) {
  const thing = await create();
  if (thing === "taken") return problem(e, 409, "That name is taken.");
  return created(e, thing);
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.post("/things", createThing);
}
