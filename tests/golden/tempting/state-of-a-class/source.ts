// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
class Health {
  private ready = false;
  #maintenance = false;
  static instance = new Health();
  start() {
    this.ready = true;
  }
  maintenance(on: boolean) {
    this.#maintenance = on;
  }
  check = (e: RequestEvent) => {
    if (!this.ready) throw e.error(503, "Not ready.");
    if (this.#maintenance) return e.json(418, { reason: "maintenance" });
    return e.json(200, { ok: true });
  };
}
export function routes(router: VersionedRouter) {
  router.get("/h", Health.instance.check);
}
