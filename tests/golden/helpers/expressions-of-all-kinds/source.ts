// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];
declare function sql(texts: TemplateStringsArray, ...values: unknown[]): string[];

interface Reading {
  value: number;
}

function readAs<T extends string>(e: RequestEvent, name: T): string | undefined {
  return e.query(name);
}

const Reader = class {
  read(e: RequestEvent) {
    return e.query("by-class");
  }
};

function satisfied(e: RequestEvent) {
  const names = { first: "by-satisfies" } satisfies Record<string, string>;
  return e.json(200, list(e.query(names.first)));
}

function instantiated(e: RequestEvent) {
  const read = readAs<"by-instance">;
  return e.json(200, list(read(e, "by-instance")));
}

function asserted(e: RequestEvent) {
  const event = <RequestEvent>e;
  return e.json(200, list(event.query("by-assertion")));
}

async function imported(e: RequestEvent) {
  const { read } = await import("./late.ts");
  return e.json(200, list(read(e)));
}

function classExpression(e: RequestEvent) {
  return e.json(200, list(new Reader().read(e)));
}

function sequence(e: RequestEvent) {
  let name = "nothing";
  return e.json(200, list(((name = "by-sequence"), e.query(name))));
}

function tagged(e: RequestEvent) {
  return e.json(200, sql`select * from notes where title = ${e.query("by-tag")}`);
}

async function templated(e: RequestEvent) {
  let text = "";
  for await (const chunk of e.request) text = `${text}${chunk}`;
  const reading = JSON.parse(text) as Reading;
  return e.json(200, reading);
}

async function finallyAnswered(e: RequestEvent) {
  try {
    list(e.query("tried"));
  } finally {
    return e.json(202, list());
  }
}

export function routes(router: VersionedRouter): void {
  router.get("/satisfied", satisfied);
  router.get("/instantiated", instantiated);
  router.get("/asserted", asserted);
  router.get("/imported", imported);
  router.get("/class", classExpression);
  router.get("/sequence", sequence);
  router.get("/tagged", tagged);
  router.post("/templated", templated);
  router.get("/finally", finallyAnswered);
}
