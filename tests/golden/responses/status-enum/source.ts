// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

enum HttpStatus {
  Ok = 200,
  Created,
  Accepted,
  Conflict = 409,
}

interface Doc {
  id: string;
}

declare function put(): Promise<Doc | undefined>;

export async function putDoc(e: RequestEvent) {
  const doc = await put();
  if (!doc) throw e.error(HttpStatus.Conflict, "Someone was faster.");
  return e.json(HttpStatus.Created, doc);
}

export function queueDoc(e: RequestEvent) {
  return e.json(HttpStatus["Accepted"], { queued: true });
}

export function routes(router: VersionedRouter): void {
  router.put("/docs", putDoc);
  router.post("/docs", queueDoc);
}
