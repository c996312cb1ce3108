// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function load(...names: string[]): Promise<string>;

async function getLine(e: RequestEvent<"order" | "line">) {
  return e.json(200, { text: await load(e.pathValue("order"), e.pathValue("line")) });
}

async function countLines(e: RequestEvent<"order">) {
  const order = Number(e.pathValue("order"));
  return e.json(200, { order });
}

function ping(e: RequestEvent) {
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/orders/{order}/lines/{line}", getLine);
  router.get("/orders/{order}/count", countLines);
  router.get("/orders/{order}/ping", ping);
}
