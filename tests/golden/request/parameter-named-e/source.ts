// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Emitted {
  query(name: string): string;
  json(status: number, data: object): void;
}

declare function listen(callback: (e: Emitted) => void): void;
declare const numbers: number[];

function watch(e: RequestEvent) {
  listen((e) => e.json(418, { value: e.query("inner") }));
  try {
    JSON.parse("{}");
  } catch (e) {
    console.log(e);
  }
  const sum = numbers.reduce((all, e) => all + e, 0);
  return e.json(200, { sum });
}

export function routes(router: VersionedRouter): void {
  router.get("/watch", watch);
}
