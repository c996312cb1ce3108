// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
declare global {
  var ok: () => boolean;
}
export function routes(r: VersionedRouter) {
  r.get("/a", (e) => {
    if (process.env.DEMO) return e.json(403, { demo: true });
    return e.json(200, { a: 1 });
  });
  r.get("/b", (e) => {
    if (!process.env.SECRET) throw e.error(501, "unset");
    return e.json(200, { a: 1 });
  });
  r.get("/c", (e) => e.json(process.env.X ? 200 : 202, { a: 1 }));
  r.get("/d", (e) => {
    const dev = process.env.NODE_ENV !== "production";
    return dev ? e.json(200, { dev }) : e.json(404, { none: 1 });
  });
  r.get("/f", (e) => {
    const t = Number(process.env.LIMIT) || 10;
    const lim = Number(e.query("limit") ?? process.env.LIMIT ?? 5);
    return e.json(200, { t, lim });
  });
  r.get("/g", (e) => {
    if (import.meta.dirname) return e.json(200, { d: 1 });
    return e.json(204 as number, null);
  });
  r.get("/h", (e) => {
    const v = globalThis.navigator;
    if (!v) throw e.error(503, "x");
    return e.json(200, { y: 1 });
  });
}
