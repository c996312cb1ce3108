// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Setting {
  mode: "dark" | "light";
  level: 1 | 2 | 3;
  ratio: 0.5 | 1.5;
  enabled: boolean;
  always: true;
  kind: "setting";
  maybe: "yes" | "no" | null;
  size: 10 | 1 | 5;
  sign: -1 | 0 | 1;
  quality: "auto" | 100 | true | 10;
}

declare function find(): Setting;

function getSetting(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/setting", getSetting);
}
