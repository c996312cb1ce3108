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

declare function statusOf(things: Thing[]): 200 | 203 | undefined;

function answer<T>(e: RequestEvent, data: T, status: 200 | 201 | 203 | undefined) {
  if (status === undefined) throw e.error(503, "It is not known how to answer that.");
  return e.json(status, data);
}

async function getThings(e: RequestEvent) {
  const things = await find();
  return answer(e, things, statusOf(things));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.post("/things", createThing);
  router.get("/things/known", getThings);
}
