// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function fill(target: object): void;
declare function names(): string[];
declare function next(): string | undefined;

function objectGivenAway(e: RequestEvent) {
  const state = { isReady: false };
  fill(state);
  if (!state.isReady) throw e.error(503, "Not yet.");
  return e.json(200, state);
}

function arrayGivenAway(e: RequestEvent) {
  const found: string[] = [];
  fill(found);
  if (!found[0]) throw e.error(404, "There is none.");
  return e.json(200, found);
}

function wordsThatGrow(e: RequestEvent) {
  const kinds = new Set(["book"]);
  for (const name of names()) kinds.add(name);
  if (!kinds.has(e.query("kind") ?? "")) throw e.error(400, "There is no such kind.");
  return e.json(200, [...kinds]);
}

function position(e: RequestEvent) {
  const level = ["low", "high"].indexOf(e.query("level") ?? "low");
  return e.json(200, { level });
}

function computedKeys(e: RequestEvent) {
  const extra = { [e.query("key") ?? "other"]: 201 };
  const all: Record<string, number> = { status: 200, ...extra };
  return e.json(200, { status: all.status });
}

function read(e: RequestEvent, first: string, second = "second") {
  return [e.query(first), e.query(second)];
}

function spreadArguments(e: RequestEvent) {
  return e.json(200, read(e, ...(["first"] as const)));
}

async function endless(e: RequestEvent) {
  while (true) {
    const value = next();
    if (value === undefined) throw e.error(504, "Nothing came.");
    return e.json(200, { value });
  }
}

function counted(e: RequestEvent) {
  for (let count = Number(e.query("count") ?? 3); count > 0; count--)
    if (next() === undefined) return e.noContent();
  return e.json(200, { done: true });
}

export function routes(router: VersionedRouter): void {
  router.get("/object", objectGivenAway);
  router.get("/array", arrayGivenAway);
  router.get("/words", wordsThatGrow);
  router.get("/position", position);
  router.get("/computed", computedKeys);
  router.get("/spread", spreadArguments);
  router.get("/endless", endless);
  router.get("/counted", counted);
}
