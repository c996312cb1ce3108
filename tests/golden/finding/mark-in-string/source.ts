import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { wave } from "./marked.ts";

const mark = `
// API_SOURCE
`;

// API_DESC Never read.
function greet(e: RequestEvent<"id">) {
  return e.text(200, mark + "// API_SOURCE" + e.query("name"));
}

export function routes(router: VersionedRouter): void {
  router.get("/greet/{id}", greet);
  router.get("/wave", wave);
}
