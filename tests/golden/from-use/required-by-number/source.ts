// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function notANumber(e: RequestEvent) {
  const id = Number(e.query("id"));
  if (Number.isNaN(id)) throw e.error(400, "An id is a number.");
  return e.json(200, list(id));
}

function globalCheck(e: RequestEvent) {
  const id = parseInt(e.query("id")!, 10);
  if (isNaN(id)) throw e.error(400, "An id is a number.");
  return e.json(200, list(id));
}

function notPositive(e: RequestEvent) {
  const size = Number(e.query("size"));
  if (!(size > 0)) throw e.error(400, "A size is above 0.");
  return e.json(200, list(size));
}

// Nothing is zero here, and zero is a number.
function nothingIsZero(e: RequestEvent) {
  const offset = Number(e.url.searchParams.get("offset"));
  if (Number.isNaN(offset)) throw e.error(400, "An offset is a number.");
  return e.json(200, list(offset));
}

function withDefault(e: RequestEvent) {
  const page = Number(e.query("page") ?? 1);
  if (Number.isNaN(page)) throw e.error(400, "A page is a number.");
  return e.json(200, list(page));
}

function flagOrNumber(e: RequestEvent) {
  const depth = e.query("depth");
  const levels = /^\d+$/.test(depth ?? "") ? Number(depth) : depth;
  return e.json(200, { deep: levels === "all" });
}

export function routes(router: VersionedRouter): void {
  router.get("/not-a-number", notANumber);
  router.get("/global", globalCheck);
  router.get("/not-positive", notPositive);
  router.get("/nothing-is-zero", nothingIsZero);
  router.get("/default", withDefault);
  router.get("/flag-or-number", flagOrNumber);
}
