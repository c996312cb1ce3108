// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

export function filterOf(e: RequestEvent) {
  return e.query("wrong");
}

export function listOthers(e: RequestEvent) {
  return e.json(200, { filter: filterOf(e) ?? null });
}
