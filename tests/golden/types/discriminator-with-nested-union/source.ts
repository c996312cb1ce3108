// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Created {
  type: "created";
  id: string;
}

interface Removed {
  type: "removed";
  at: Date;
}

interface Feed {
  latest: Created | Removed | null;
  entries: (Created | Removed)[];
}

declare function find(): Feed;

function getFeed(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/feed", getFeed);
}
