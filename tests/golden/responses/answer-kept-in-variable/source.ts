// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function count(): number;

function getCount(e: RequestEvent) {
  const value = count();
  const answer = value > 0 ? e.json(200, { value }) : e.noContent();
  return answer;
}

const respond = { ok: (e: RequestEvent, text: string) => e.text(200, text) };

async function getText(e: RequestEvent) {
  const { ok } = respond;
  return await ok(e, "fine");
}

function getLogical(e: RequestEvent) {
  return (count() > 0 && e.json(200, { some: true })) || e.json(404, { none: true });
}

export function routes(router: VersionedRouter): void {
  router.get("/count", getCount);
  router.get("/text", getText);
  router.get("/logical", getLogical);
}
