// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Person {
  id: string;
  nickname?: string;
  birthday: string | null;
  employer?: Company | null;
  owner: Company | null;
  middleName: string | undefined;
}

interface Company {
  name: string;
}

declare function find(): Person;

function getPerson(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/person", getPerson);
}
