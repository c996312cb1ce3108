// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function keepNote(text: string): Promise<void>;
declare function keepImage(bytes: Uint8Array): Promise<void>;

async function putNote(e: RequestEvent) {
  await keepNote(await e.readText());
  return e.noContent();
}

async function putImage(e: RequestEvent) {
  await keepImage(await e.readBytes());
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.put("/note", putNote);
  router.put("/image", putImage);
}
