import type { RequestEvent } from "../../../../src/index.ts";

export interface Page<T> {
  items: T[];
  /** @integer */
  page: number;
  /** @integer */
  total: number;
  nextPage: string | null;
}

export interface ApiResponse<T> {
  data: T;
  requestId: string;
  warnings?: string[];
}

export function respond<T>(e: RequestEvent, data: T, warnings: string[] = []) {
  const body: ApiResponse<T> = { data, requestId: e.traceId };
  if (warnings.length > 0) body.warnings = warnings;
  return e.json(200, body);
}

export function created<T extends { id: string }>(e: RequestEvent, base: string, data: T) {
  e.setHeader("Location", `${base}/${data.id}`);
  return e.json(201, { data, requestId: e.traceId } satisfies ApiResponse<T>);
}

export function paginate<T>(all: readonly T[], page: number, size: number): Page<T> {
  const start = (page - 1) * size;
  const hasMore = start + size < all.length;
  return {
    items: all.slice(start, start + size),
    page,
    total: all.length,
    nextPage: hasMore ? `?page=${page + 1}` : null,
  };
}
