// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Lists films.
export function list(e: RequestEvent) {
  return e.json(200, { films: Number(e.query("year")) });
}
