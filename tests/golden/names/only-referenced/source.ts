// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Used {
  inner: Inner;
}

interface Inner {
  deepest: Deepest[];
}

interface Deepest {
  id: string;
}

export interface Unused {
  lonely: Lonely;
}

interface Lonely {
  id: string;
}

declare function find(): Used;
declare function log(unused: Unused | null): void;

function getUsed(e: RequestEvent) {
  log(null);
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/used", getUsed);
}
