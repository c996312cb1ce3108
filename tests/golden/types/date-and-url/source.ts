// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Link {
  target: URL;
  created: Date;
  visited: Date | null;
  history: Date[];
  bytes: Buffer;
}

declare function find(): Link;

function getLink(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/link", getLink);
}
