import type { RequestEvent } from "../../../../src/index.ts";

interface Options {
  defaultSize?: number;
}

export function paginate(e: RequestEvent<never>, { defaultSize = 20 }: Options = {}) {
  const page = Number.parseInt(e.query("page") ?? "1", 10);
  const size = Number.parseInt(e.query("size") ?? String(defaultSize), 10);
  return {
    page,
    size,
    offset: (page - 1) * size,
    respond<T>(items: T[], total: number) {
      return e.json(200, { items, total, page, size });
    },
  };
}
