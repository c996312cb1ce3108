import type { RequestEvent } from "annex";

export interface Page {
  page: number;
  size: number;
}

export function parsePage(e: RequestEvent): Page {
  const page = Number(e.query("page") ?? 1);
  if (!Number.isInteger(page) || page < 1) throw e.error(400, "The page must be a positive integer.");
  return { page, size: 20 };
}
