// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const LEGACY = false;

function afterReturn(e: RequestEvent) {
  return e.json(200, { ok: true });
  return e.json(500, { never: true });
}

function afterThrow(e: RequestEvent) {
  throw e.error(410, "It is gone.");
  return e.json(200, { never: e.query("never") });
}

function ifFalse(e: RequestEvent) {
  if (false) return e.json(501, { never: true });
  if (LEGACY) return e.json(299, { never: true });
  return e.json(200, { ok: true });
}

export function routes(router: VersionedRouter): void {
  router.get("/after-return", afterReturn);
  router.get("/after-throw", afterThrow);
  router.get("/if-false", ifFalse);
}
