// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

interface Options {
  name?: string;
  header?: string | null;
  isStrict?: boolean;
}

function read(e: RequestEvent, { name, header, isStrict }: Options = {}) {
  const value = e.query(name ?? "page");
  const tenant = header === null ? undefined : e.header(header || "X-Tenant");
  isStrict && value === undefined && refuse(e);
  return [value, tenant];
}

function refuse(e: RequestEvent): never {
  throw e.error(400, "It is missing.");
}

function plain(e: RequestEvent) {
  return e.json(200, list(read(e)));
}

function named(e: RequestEvent) {
  return e.json(200, list(read(e, { name: "seite", header: "X-Mandant", isStrict: true })));
}

function without(e: RequestEvent) {
  return e.json(200, list(read(e, { header: null, isStrict: false })));
}

export function routes(router: VersionedRouter): void {
  router.get("/plain", plain);
  router.get("/named", named);
  router.get("/without", without);
}
