import type { RequestEvent } from "../../../../src/index.ts";

export function read(e: RequestEvent) {
  return e.query("by-import");
}
