// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Note {
  id: string;
}

declare function all(): Note[];

// API_DESC Lists notes.
function list(e: RequestEvent) {
  return e.json(200, all());
}

const handlers = {
  list,
  // API_DESC Tells a note.
  get: (e: RequestEvent<"id">) => e.json(200, { id: e.pathValue("id") } as Note),
  // API_DESC Changes a note.
  async patch(e: RequestEvent<"id">) {
    const change = await e.bindBody<Partial<Note>>();
    return e.json(200, { ...change, id: e.pathValue("id") } as Note);
  },
};

export function routes(router: VersionedRouter): void {
  const inner = router.setPrefix("/areas/{area}");
  inner.crud("notes", handlers);
}
