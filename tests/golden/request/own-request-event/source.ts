// API_SOURCE
import type { RequestEvent as Ctx, VersionedRouter } from "../../../../src/index.ts";

class RequestEvent {
  query(name: string): string {
    return name;
  }
  json(status: number, data: unknown): void {
    console.log(status, data);
  }
}

function replay(e: RequestEvent): string {
  e.json(299, { replayed: true });
  return e.query("replayed");
}

function getReplay(ctx: Ctx) {
  const e = new RequestEvent();
  return ctx.json(200, { last: replay(e) });
}

export function routes(router: VersionedRouter): void {
  router.get("/replay", getReplay);
}
