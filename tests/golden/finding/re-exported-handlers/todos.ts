// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Lists todos.
export function list(e: RequestEvent) {
  return e.json(200, [e.query("q") ?? ""]);
}

// API_DESC Adds a todo.
export default function add(e: RequestEvent) {
  return e.json(201, { id: "1" });
}
