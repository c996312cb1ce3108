import type { RequestEvent } from "../../../../src/index.ts";

export interface Paging {
  page: number;
  perPage: number;
}

function readPage(e: RequestEvent): number {
  const raw = e.query("page");
  if (raw === undefined) return 1;
  const page = Number.parseInt(raw, 10);
  if (Number.isNaN(page) || page < 1) throw e.error(400, "The page must be 1 or more.");
  return page;
}

function readPerPage(e: RequestEvent): number {
  const raw = e.query("per_page");
  if (!raw) return 25;
  return Math.min(Number(raw), 100);
}

export function readPaging(e: RequestEvent): Paging {
  return { page: readPage(e), perPage: readPerPage(e) };
}
