// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

class Query {
  private readonly e: RequestEvent;

  constructor(e: RequestEvent) {
    this.e = e;
  }

  text(name: string): string | undefined {
    return this.e.query(name);
  }

  get page(): number {
    return Number(this.e.query("page") ?? 1);
  }
}

function listThings(e: RequestEvent) {
  const query = new Query(e);
  return e.json(200, list(query.text("q"), query.page));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
