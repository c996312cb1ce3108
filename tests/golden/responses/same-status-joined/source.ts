// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Person {
  name: string;
}

interface Company {
  title: string;
  seat: string;
}

declare function person(id: string): Person | undefined;
declare function company(id: string): Company;

function getParty(e: RequestEvent<"id">) {
  const found = person(e.pathValue("id"));
  if (found) return e.json(200, found);
  return e.json(200, company(e.pathValue("id")));
}

function getPerson(e: RequestEvent<"id">) {
  const found = person(e.pathValue("id"));
  if (found) return e.json(200, found);
  return e.json(200, { name: "nobody" } as Person);
}

export function routes(router: VersionedRouter): void {
  router.get("/parties/{id}", getParty);
  router.get("/people/{id}", getPerson);
}
