// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
let ready = false;
const state = { draining: false, count: 0 };
export function markReady() {
  ready = true;
}
export function drain() {
  state.draining = true;
  state.count++;
}
export function routes(router: VersionedRouter) {
  router.get("/ready", (e) => {
    if (!ready) throw e.error(503, "Starting.");
    return e.json(200, { up: true });
  });
  router.get("/drain", (e) => {
    if (state.draining) return e.json(503, { draining: true });
    return e.json(200, { up: true });
  });
  router.get("/count", (e) => e.json(state.count === 0 ? 200 : 202, { n: state.count }));
}
