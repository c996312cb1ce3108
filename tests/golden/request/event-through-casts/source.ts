// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function casts(e: RequestEvent) {
  const a = (e as RequestEvent<never>).query("a");
  const b = e!.query("b");
  const c = e?.query?.("c");
  const f = Reflect.has(e, "x") ? `${e.query("f")}` : [e.query("g")];
  return e.json(200, list(a, b, c, f));
}

export function routes(router: VersionedRouter): void {
  router.get("/casts", casts);
}
