import { pagingOf } from "@shared/paging";
import type { RequestEvent } from "../../../../src/index.ts";

export interface Listing<Row> {
  page: number;
  rows: Row[];
}

export function listing<Row>(e: RequestEvent, rows: Row[]): Listing<Row> {
  const { page } = pagingOf(e);
  return { page, rows: rows.slice((page - 1) * 50, page * 50) };
}
