// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const rows: { id: number; first: string; last: string; deleted: 0 | 1 }[];

function toPerson(row: (typeof rows)[number]) {
  const { id, first, last, deleted } = row;
  return { id: String(id), name: `${first} ${last}`, isDeleted: deleted === 1 };
}

async function load() {
  return rows.map(toPerson);
}

type Person = ReturnType<typeof toPerson>;
type People = Awaited<ReturnType<typeof load>>;

function newest(): Person {
  return toPerson(rows[0]!);
}

async function listPeople(e: RequestEvent) {
  return e.json(200, await load());
}

async function getPerson(e: RequestEvent) {
  return e.json(200, newest());
}

async function getPeople(e: RequestEvent) {
  const people: People = await load();
  return e.json(200, { people });
}

export function routes(router: VersionedRouter): void {
  router.get("/people", listPeople);
  router.get("/newest", getPerson);
  router.get("/all", getPeople);
}
