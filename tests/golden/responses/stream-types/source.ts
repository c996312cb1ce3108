// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { Readable } from "node:stream";

const EVENT_STREAM = "text/event-stream";

declare function events(): AsyncIterable<string>;
declare function load(name: string): { type: string; bytes: Uint8Array };
declare const isCompact: boolean;

function subscribe(e: RequestEvent) {
  return e.stream(200, EVENT_STREAM, Readable.from(events()));
}

function exportAll(e: RequestEvent) {
  return e.stream(200, isCompact ? "application/gzip" : "text/csv", Readable.from(events()));
}

function download(e: RequestEvent<"name">) {
  const { type, bytes } = load(e.pathValue("name"));
  return e.bytes(200, type, bytes);
}

export function routes(router: VersionedRouter): void {
  router.get("/events", subscribe);
  router.get("/export", exportAll);
  router.get("/files/{name}", download);
}
