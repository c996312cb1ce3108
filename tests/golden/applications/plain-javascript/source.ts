// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { applyForPermit, checkPlate, deletePermit, endPermit, listPermits } from "./permits.js";

export function routes(router: VersionedRouter): void {
  router.get("/permits", listPermits);
  router.post("/permits", applyForPermit);
  router.post("/permits/{id}/end", endPermit);
  router.delete("/permits/{id}", deletePermit);
  router.get("/plates/{plate}", checkPlate);
}
