// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Lists books.
export function list(e: RequestEvent) {
  return e.json(200, { books: e.queryAll("author") });
}
