// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface User {
  id: string;
}

interface Order {
  total: number;
}

declare function user(id: string): Promise<User>;
declare function orders(id: string): Promise<Order[]>;

async function getOverview(e: RequestEvent) {
  const [owner, all] = await Promise.all([user("1"), orders("1")]);
  return e.json(200, { owner, orders: all });
}

async function getMany(e: RequestEvent) {
  return e.json(200, await Promise.all(["1", "2"].map((id) => user(id))));
}

async function getSettled(e: RequestEvent) {
  const results = await Promise.allSettled([orders("1"), orders("2")]);
  const all = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  return e.json(200, all);
}

async function getFirst(e: RequestEvent) {
  return e.json(200, await Promise.race([user("1"), user("2")]));
}

export function routes(router: VersionedRouter): void {
  router.get("/overview", getOverview);
  router.get("/many", getMany);
  router.get("/settled", getSettled);
  router.get("/first", getFirst);
}
