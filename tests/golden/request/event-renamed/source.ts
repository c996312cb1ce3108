// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(q: string | undefined): Promise<string[]>;

async function searchBooks(ctx: RequestEvent) {
  return ctx.json(200, await find(ctx.query("q")));
}

const searchFilms: Handler = async (request) => request.json(200, await find(request.query("q")));

export function routes(router: VersionedRouter): void {
  router.get("/books", searchBooks);
  router.get("/films", searchFilms);
  router.get("/songs", async (c) => c.json(200, await find(c.query("q"))));
}
