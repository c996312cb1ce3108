// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const ROLES = ["admin", "member"] as const;
type Role = (typeof ROLES)[number];

declare function list(...values: unknown[]): string[];

function isRole(value: string): value is Role {
  return (ROLES as readonly string[]).includes(value);
}

function direct(e: RequestEvent) {
  const role = e.query("role") ?? "member";
  if (!ROLES.includes(role as Role)) throw e.error(400, "There is no such role.");
  return e.json(200, list(role));
}

function guarded(e: RequestEvent) {
  const role = e.query("role");
  if (!role || !isRole(role)) throw e.error(400, "There is no such role.");
  return e.json(200, list(role));
}

function literal(e: RequestEvent) {
  const sort = e.query("sort");
  if (sort !== undefined && !["asc", "desc"].includes(sort)) throw e.error(400, "Up or down.");
  return e.json(200, list(sort));
}

function set(e: RequestEvent) {
  const kinds = new Set(["book", "film"]);
  const kind = e.query("kind");
  if (kind && !kinds.has(kind)) throw e.error(400, "There is no such kind.");
  return e.json(200, list(kind));
}

export function routes(router: VersionedRouter): void {
  router.get("/direct", direct);
  router.get("/guarded", guarded);
  router.get("/literal", literal);
  router.get("/set", set);
}
