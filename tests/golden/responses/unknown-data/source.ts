// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function anything(): any;
declare function something(): unknown;

function getAny(e: RequestEvent) {
  return e.json(200, anything());
}

function getUnknown(e: RequestEvent) {
  const data = something();
  return e.json(200, data);
}

async function getParsed(e: RequestEvent) {
  const answer = await fetch("https://example.com");
  return e.json(200, JSON.parse(await answer.text()));
}

export function routes(router: VersionedRouter): void {
  router.get("/any", getAny);
  router.get("/unknown", getUnknown);
  router.get("/parsed", getParsed);
}
