// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Event {
  kind: string;
}

function accepted(e: RequestEvent) {
  e.response.setHeader("X-Job", "1");
  e.response.writeHead(202, { "Content-Type": "application/json" }).end("{}");
}

function byField(e: RequestEvent) {
  e.response.statusCode = 410;
  e.response.end();
}

function headerOnly(e: RequestEvent) {
  e.response.setHeader("Cache-Control", "no-store");
  return e.json(200, { stored: false });
}

async function byChunks(e: RequestEvent) {
  const text = (await e.request.toArray()).map((chunk) => String(chunk)).join("");
  const event = JSON.parse(text) as Event;
  return e.json(200, { kind: event.kind });
}

export function routes(router: VersionedRouter): void {
  router.get("/accepted", accepted);
  router.get("/field", byField);
  router.get("/header", headerOnly);
  router.post("/chunks", byChunks);
}
