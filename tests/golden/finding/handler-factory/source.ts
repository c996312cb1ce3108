// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Cat {
  lives: number;
}

interface Dog {
  tricks: string[];
}

declare function cats(limit: number): Cat[];
declare function dogs(limit: number): Dog[];

function listing<T>(find: (limit: number) => T[], parameter: string) {
  return (e: RequestEvent) => e.json(200, { items: find(Number(e.query(parameter) ?? 10)) });
}

export function routes(router: VersionedRouter): void {
  router.get(
    "/cats",
    listing((limit) => cats(limit), "limit"),
  );
  router.get(
    "/dogs",
    listing((limit) => dogs(limit), "max"),
  );
}
