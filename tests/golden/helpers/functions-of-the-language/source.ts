// API_SOURCE
import querystring from "node:querystring";
import { parse } from "node:url";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

const FILTERS = Object.freeze({ author: "a.name", year: "b.year" });
const HEADERS = Object.seal({ tenant: "X-Tenant", region: "X-Region" });

function keys(e: RequestEvent) {
  return e.json(200, list(Object.keys(FILTERS).map((name) => e.query(name))));
}

function values(e: RequestEvent) {
  return e.json(200, list(Object.values(HEADERS).map((name) => e.header(name))));
}

function from(e: RequestEvent) {
  return e.json(
    200,
    list(
      Array.from(["from", "to"], (name) => e.query(name)),
      Array.of("one", "two").flatMap((name) => e.query(name)),
    ),
  );
}

function joinedNames(e: RequestEvent) {
  const names = ["sort"].concat(["order"]);
  names.unshift("first");
  return e.json(200, list(e.query(["page", "size"].join("-")), ...names.map((name) => e.query(name))));
}

function everyName(e: RequestEvent) {
  const isGiven = ["a", "b"].every((name) => e.query(name)) || ["c"].some((name) => e.query(name));
  const last = ["d", "e"].findLast((name) => e.query(name));
  const sum = ["f"].reduce((total, name) => total + (e.query(name)?.length ?? 0), 0);
  return e.json(200, list(isGiven, last, sum));
}

async function promises(e: RequestEvent) {
  const [first, second] = await Promise.all([e.query("first"), Promise.resolve(e.query("second"))]);
  const fastest = Number(await Promise.race([e.query("fastest")]));
  const any = Number.parseInt((await Promise.any([e.query("any")])) ?? "", 10);
  return e.json(200, list(Number(first), Number(second), fastest, any));
}

function checks(e: RequestEvent) {
  const owner = e.query("owner");
  if (!Boolean(owner)) throw e.error(400, "Whose?");
  const limit = Number(e.query("limit"));
  if (!Number.isFinite(limit)) throw e.error(400, "How many?");
  const id = Number(structuredClone(e.query("id")));
  return e.json(200, list(limit, id));
}

function readQuery(this: void, e: RequestEvent) {
  return e.query("called");
}

function called(e: RequestEvent) {
  return e.json(200, list(readQuery.call(undefined, e)));
}

function byModules(e: RequestEvent) {
  const { author } = querystring.parse(e.url.search);
  const { query } = parse(e.request.url ?? "/", true);
  return e.json(200, { found: author === query.year });
}

export function routes(router: VersionedRouter): void {
  router.get("/keys", keys);
  router.get("/values", values);
  router.get("/from", from);
  router.get("/joined", joinedNames);
  router.get("/every", everyName);
  router.get("/promises", promises);
  router.get("/checks", checks);
  router.get("/called", called);
  router.get("/modules", byModules);
}
