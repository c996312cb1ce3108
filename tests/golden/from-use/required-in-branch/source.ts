// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function remove(reason: string): void;

function required(e: RequestEvent, name: string): string {
  const value = e.query(name);
  if (!value) throw e.error(400, `Give ${name}.`);
  return value;
}

function removeThing(e: RequestEvent) {
  if (e.query("mode") === "forced") remove(required(e, "reason"));
  return e.noContent();
}

function after(e: RequestEvent) {
  if (e.query("skip") === "true") return e.noContent();
  remove(required(e, "reason"));
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.delete("/thing", removeThing);
  router.delete("/things", after);
}
