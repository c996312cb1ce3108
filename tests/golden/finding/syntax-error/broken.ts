// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

export function getBroken(e: RequestEvent) {
  return e.json(200, { broken: true };
}
