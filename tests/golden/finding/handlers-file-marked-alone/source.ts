import type { VersionedRouter } from "../../../../src/index.ts";
import { greet } from "./handlers.ts";
import { hide } from "./hidden.ts";

export function routes(router: VersionedRouter): void {
  router.get("/greet", greet);
  router.get("/hide", hide);
}
