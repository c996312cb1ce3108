// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function search(text: string | undefined, tags: string[]): Promise<string[]>;

async function searchNotes(e: RequestEvent) {
  const text = e.query("q");
  const tags = e.queryAll("tag");
  return e.json(200, await search(text, tags));
}

export function routes(router: VersionedRouter): void {
  router.get("/notes", searchNotes);
}
