// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function read(path: string): Promise<string>;

async function getFile(e: RequestEvent<"path">) {
  return e.text(200, await read(e.pathValue("path")));
}

export function routes(router: VersionedRouter): void {
  router.get("/files/{path...}", getFile);
}
