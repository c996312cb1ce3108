// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { json } from "node:stream/consumers";

interface Reading {
  sensor: string;
  value: number;
}

declare function record(reading: Reading): Promise<void>;

async function addReading(e: RequestEvent) {
  const chunks: Buffer[] = [];
  for await (const chunk of e.request) chunks.push(chunk);
  const reading = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Reading;
  await record(reading);
  return e.noContent();
}

async function replaceReading(e: RequestEvent) {
  const reading = (await json(e.request)) as Reading;
  await record(reading);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/readings", addReading);
  router.put("/readings", replaceReading);
}
