import type { RequestEvent } from "../../../../../src/index.ts";

export interface Paging {
  page: number;
}

export function pagingOf(e: RequestEvent): Paging {
  return { page: Number(e.query("page") ?? 1) };
}
