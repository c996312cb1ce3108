// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Cat {
  name: string;
}

interface Dependencies {
  load(limit: number): Promise<Cat[]>;
  log: (text: string) => void;
}

function createHandlers({ load, log }: Dependencies) {
  // API_DESC Lists cats.
  async function listCats(e: RequestEvent) {
    log(e.path);
    return e.json(200, await load(Number(e.query("limit") ?? 10)));
  }

  return {
    listCats,
    // API_DESC Counts cats.
    countCats: async (e: RequestEvent) => e.json(200, { count: (await load(1000)).length }),
  };
}

const handlers = createHandlers({ load: async () => [], log: () => {} });

export function routes(router: VersionedRouter): void {
  router.get("/cats", handlers.listCats);
  router.get("/cats/count", handlers.countCats);
}
