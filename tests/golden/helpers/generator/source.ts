// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

function* valuesOf(e: RequestEvent, names: readonly string[]) {
  for (const name of names) yield e.query(name);
}

async function* pagesOf(e: RequestEvent): AsyncGenerator<number> {
  let page = Number(e.query("from") ?? 1);
  while (page < 10) yield page++;
}

async function listThings(e: RequestEvent) {
  const values = [...valuesOf(e, ["a", "b"])].filter((value) => value !== undefined);
  const pages: number[] = [];
  outer: for await (const page of pagesOf(e)) {
    for (const value of values) if (value === "stop") break outer;
    pages.push(page);
  }
  return e.json(200, { values, pages });
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
