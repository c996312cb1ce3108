// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
interface Ctx {
  status: number;
  e: RequestEvent;
}
function setStatus(ctx: { status: number }, s: number) {
  ctx.status = s;
}
function one(e: RequestEvent) {
  const ctx = { status: 200 };
  setStatus(ctx, 201);
  return e.json(ctx.status, { a: 1 });
}
function two(e: RequestEvent) {
  const ctx = { status: 200 };
  setStatus(ctx, 201);
  return e.json(ctx.status, { b: 1 });
}
function three(e: RequestEvent) {
  const x = { status: 200 };
  const y = { status: 200 };
  setStatus(x, 202);
  setStatus(y, 202);
  return e.json(y.status, { b: 1 });
}
class Reply {
  code = 200;
  private readonly e: RequestEvent;
  constructor(e: RequestEvent) {
    this.e = e;
  }
  status(n: number) {
    this.code = n;
    return this;
  }
  send<T>(d: T) {
    return this.e.json(this.code, d);
  }
}
export function routes(router: VersionedRouter) {
  router.get("/1", one);
  router.get("/2", two);
  router.get("/3", three);
}
