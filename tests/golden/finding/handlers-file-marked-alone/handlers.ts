// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Greets.
export function greet(e: RequestEvent) {
  return e.text(200, e.query("name") ?? "you");
}
