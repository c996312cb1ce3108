import type { RequestEvent } from "../../../../src/index.ts";

export function page(e: RequestEvent) {
  return e.query("page");
}

export const size = (e: RequestEvent) => e.query("size");

export default function sort(e: RequestEvent) {
  return e.query("sort");
}
