// API_SOURCE
import { type } from "arktype";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const RouteQuery = type({
  from: "string >= 2",
  to: "string >= 2",
  "by?": "'car' | 'train'",
});

declare const planner: {
  plan(query: typeof RouteQuery.infer): Promise<{ minutes: number }>;
};

async function planRoute(e: RequestEvent) {
  const query = await e.bindQuery(RouteQuery);
  return e.json(200, await planner.plan(query));
}

export function routes(router: VersionedRouter): void {
  router.get("/plan", planRoute);
}
