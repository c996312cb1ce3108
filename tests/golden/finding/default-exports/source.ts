import type { VersionedRouter } from "../../../../src/index.ts";
import list from "./list.ts";
import remove from "./remove.ts";

export function routes(router: VersionedRouter): void {
  router.get("/things", list);
  router.delete("/things", remove);
}
