import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Never read.
export function hide(e: RequestEvent) {
  return e.text(200, e.query("name") ?? "you");
}
