// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const FILTERS = ["author", "year"] as const;
const TRACKED = ["X-Tenant", "X-Region"] as const;

declare function list(...values: unknown[]): string[];

function forOf(e: RequestEvent) {
  const where: Record<string, string> = {};
  for (const name of FILTERS) {
    const value = e.query(name);
    if (value !== undefined) where[name] = value;
  }
  return e.json(200, list(where));
}

function mapped(e: RequestEvent) {
  const values = FILTERS.map((name) => e.query(name));
  return e.json(200, list(values));
}

function forEach(e: RequestEvent) {
  const seen: unknown[] = [];
  TRACKED.forEach((name) => {
    seen.push(e.header(name));
  });
  return e.json(200, list(seen));
}

function counted(e: RequestEvent) {
  const seen: unknown[] = [];
  for (let i = 0; i < FILTERS.length; i++) seen.push(e.query(FILTERS[i]!));
  return e.json(200, list(seen));
}

function literal(e: RequestEvent) {
  const [from, to] = ["from", "to"].map((name) => e.query(name));
  return e.json(200, list(from, to));
}

function entries(e: RequestEvent) {
  const columns = { author: "a.name", year: "b.year" };
  const wanted = Object.entries(columns).filter(([name]) => e.query(name) !== undefined);
  return e.json(200, list(wanted));
}

export function routes(router: VersionedRouter): void {
  router.get("/for-of", forOf);
  router.get("/mapped", mapped);
  router.get("/for-each", forEach);
  router.get("/counted", counted);
  router.get("/literal", literal);
  router.get("/entries", entries);
}
