// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function byNegation(e: RequestEvent) {
  const q = e.query("q");
  if (!q) throw e.error(400, "Give q.");
  return e.json(200, list(q));
}

function byUndefined(e: RequestEvent) {
  const from = e.query("from");
  const to = e.query("to");
  if (from === undefined || to == null) throw new ApiError(400, "Give from and to.");
  return e.json(200, list(from, to));
}

function byAnswer(e: RequestEvent) {
  const tenant = e.header("X-Tenant");
  if (!tenant) return e.json(400, { missing: "X-Tenant" });
  return e.json(200, list(tenant));
}

function require(e: RequestEvent, name: string): string {
  const value = e.query(name);
  if (value === undefined) throw e.error(400, `Give ${name}.`);
  return value;
}

function byHelper(e: RequestEvent) {
  return e.json(200, list(require(e, "q"), e.query("sort")));
}

function byCoalescing(e: RequestEvent) {
  const q = e.query("q") ?? missing(e);
  return e.json(200, list(q));
}

function missing(e: RequestEvent): never {
  throw e.error(400, "Give q.");
}

function notAlways(e: RequestEvent) {
  const q = e.query("q");
  const all = e.query("all");
  if (!q && !all) throw e.error(400, "Give q or all.");
  if (all && !e.query("reason")) throw e.error(400, "Give a reason.");
  return e.json(200, list(q, all));
}

export function routes(router: VersionedRouter): void {
  router.get("/negation", byNegation);
  router.get("/undefined", byUndefined);
  router.get("/answer", byAnswer);
  router.get("/helper", byHelper);
  router.get("/coalescing", byCoalescing);
  router.get("/not-always", notAlways);
}
