// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

const pageOf = (e: RequestEvent) => e.query("page");

const readers = {
  size(e: RequestEvent) {
    return e.query("size");
  },
  sort: (e: RequestEvent) => e.query("sort"),
};

class Filters {
  static author(e: RequestEvent) {
    return e.query("author");
  }

  year(e: RequestEvent) {
    return this.number(e, "year");
  }

  private number(e: RequestEvent, name: string) {
    return Number(e.query(name));
  }
}

const filters = new Filters();

function listThings(e: RequestEvent) {
  return e.json(
    200,
    list(pageOf(e), readers.size(e), readers.sort(e), Filters.author(e), filters.year(e), late(e)),
  );
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}

function late(e: RequestEvent) {
  return e.query("late");
}
