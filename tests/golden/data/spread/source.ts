// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface User {
  id: string;
  name: string;
  age: number;
}

declare function find(): User;
declare const isAdmin: boolean;

function spread(e: RequestEvent) {
  return e.json(200, { ...find(), online: true });
}

function overridden(e: RequestEvent) {
  const user = find();
  return e.json(200, { ...user, age: String(user.age) });
}

function overriddenBySpread(e: RequestEvent) {
  const defaults = { id: 7, extra: true };
  return e.json(200, { ...defaults, ...find() });
}

function conditional(e: RequestEvent) {
  return e.json(200, { ...find(), ...(isAdmin && { role: "admin" }) });
}

function assigned(e: RequestEvent) {
  return e.json(200, Object.assign({}, find(), { score: 1.5 }));
}

export function routes(router: VersionedRouter): void {
  router.get("/spread", spread);
  router.get("/overridden", overridden);
  router.get("/by-spread", overriddenBySpread);
  router.get("/conditional", conditional);
  router.get("/assigned", assigned);
}
