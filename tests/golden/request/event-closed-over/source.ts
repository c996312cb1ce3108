// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function transaction<T>(work: () => Promise<T>): Promise<T>;
declare function list(from: string | undefined): Promise<string[]>;

async function listEvents(e: RequestEvent) {
  async function load() {
    return list(e.query("from"));
  }
  const limit = () => e.query("limit");
  const events = await transaction(async () => {
    const found = await load();
    return found.slice(0, Number(limit()));
  });
  return e.json(200, events);
}

export function routes(router: VersionedRouter): void {
  router.get("/events", listEvents);
}
