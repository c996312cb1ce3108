// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { NewPerson, PersonChange } from "./schemas.ts";

async function addPerson(e: RequestEvent) {
  const { name } = await e.bindBody(NewPerson);
  return e.json(201, { name });
}

async function changePerson(e: RequestEvent<"id">) {
  const { name } = await e.bindBody(PersonChange);
  return e.json(200, { id: e.pathValue("id"), name });
}

export function routes(router: VersionedRouter): void {
  router.post("/people", addPerson);
  router.patch("/people/{id}", changePerson);
}
