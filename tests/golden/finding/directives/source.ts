// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

// API_DESC Lists everything,
// API_DESC the newest first.
// API_TAGS things ,  lists,, ,
function listThings(e: RequestEvent) {
  return e.noContent();
}

// API_DESC This one is detached.
// API_TAGS detached

function getThing(e: RequestEvent) {
  return e.noContent();
}

// API_DESC
// API_TAGS
function addThing(e: RequestEvent) {
  return e.noContent();
}

// API_TAGS things
// API_DESC Removes it: even with "quotes", // slashes and API_TAGS inside.
// Another remark.
export async function removeThing(e: RequestEvent) {
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.get("/thing", getThing);
  router.post("/things", addThing);
  router.delete("/thing", removeThing);
}
