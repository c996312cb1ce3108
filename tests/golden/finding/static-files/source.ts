// API_SOURCE
import { type RequestEvent, staticFiles, type VersionedRouter } from "../../../../src/index.ts";

/** Returns the status of the shop. */
function getStatus(e: RequestEvent) {
  return e.json(200, { open: true });
}

/** The files of the site are not a part of the API. */
const site = staticFiles(import.meta.dirname, { fallback: "index.html" });

export function routes(router: VersionedRouter): void {
  router.get("/status", getStatus);
  router.get("/{path...}", site);
}
