// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
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
const reply = (e: RequestEvent) => new Reply(e);
export function routes(router: VersionedRouter) {
  router.get("/1", (e) => reply(e).status(201).send({ id: 1 }));
  router.get("/2", (e) => reply(e).send({ name: "x" }));
  router.get("/3", (e) => {
    const r = reply(e);
    if (e.query("x")) r.status(404);
    return r.send({ z: true });
  });
}
