// API_SOURCE
import type { RequestEvent as Ctx, Handler, VersionedRouter } from "../../../../src/index.ts";
import type * as annex from "../../../../src/index.ts";

type Context = Ctx;
type Reader = Pick<Ctx, "query">;
type WithUser = Ctx & { user?: string };

declare function list(...values: unknown[]): string[];

function pageOf<E extends Context>(e: E) {
  return e.query("page");
}

function sizeOf(reader: Reader) {
  return reader.query("size");
}

function kindOf(e: WithUser) {
  return e.query("kind");
}

function aliased(e: Context) {
  return e.json(200, list(pageOf(e), sizeOf(e), kindOf(e)));
}

function namespaced(e: annex.RequestEvent) {
  return e.json(200, list(e.query("q")));
}

const contextual = ((e) => e.json(200, list(e.query("q")))) satisfies Handler;

export function routes(router: VersionedRouter): void {
  router.get("/aliased", aliased);
  router.get("/namespaced", namespaced);
  router.get("/contextual", contextual);
}
