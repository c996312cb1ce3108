// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
declare global {
  var cond2: () => boolean;
}
export function routes(r: VersionedRouter) {
  r.get("/a", (e) => {
    const t = e.query("token") ?? e.header("x-token");
    if (!t) throw e.error(401, "t");
    return e.json(200, { t });
  });
  r.get("/b", (e) => {
    const t = cond2() ? e.query("a") : e.query("b");
    if (!t) throw e.error(400, "t");
    return e.json(200, { t });
  });
  r.get("/c", (e) => {
    const t = e.query(cond2() ? "a" : "b");
    if (!t) throw e.error(400, "t");
    return e.json(200, { t });
  });
  r.get("/d", (e) => {
    const a = e.query("a"),
      b = e.query("b");
    if (!a && !b) throw e.error(400, "t");
    return e.json(200, { a, b });
  });
  r.get("/f", (e) => {
    const a = e.query("a"),
      b = e.query("b");
    if (!a || !b) throw e.error(400, "t");
    return e.json(200, { a, b });
  });
  r.get("/g", (e) => {
    let t = e.query("a");
    if (!t) t = e.cookie("a");
    if (!t) throw e.error(401, "t");
    return e.json(200, { t });
  });
  r.get("/h", (e) => {
    const t = ["t1", "t2"].map((n) => e.query(n)).find(Boolean);
    if (!t) throw e.error(401, "t");
    return e.json(200, { t });
  });
  r.get("/i", (e) => {
    const t = e.header("authorization")?.replace("Bearer ", "") || e.query("access_token");
    if (t === undefined) throw e.error(401, "t");
    return e.json(200, { t });
  });
  r.get("/j", (e) => {
    const a = e.query("a");
    if (a) {
      const b = e.query("b");
      if (!b) throw e.error(400, "b with a");
    }
    return e.json(200, { a });
  });
  r.get("/k", (e) => {
    const a = e.query("a");
    if (e.auth === null && !a) throw e.error(400, "a");
    return e.json(200, { a });
  });
  r.get("/l", (e) => {
    const a = e.query("a");
    if (a === undefined) return e.json(200, []);
    return e.json(200, [a]);
  });
  r.get("/m", (e) => {
    const a = e.query("a");
    if (typeof a !== "string" || a.length < 3) throw e.error(400, "a");
    return e.json(200, { a });
  });
  r.get("/n", (e) => {
    try {
      if (!e.query("a")) throw new Error("x");
    } catch {
      return e.json(200, { fallback: true });
    }
    return e.json(200, { fallback: false });
  });
  r.get("/o", (e) => {
    const page = Number(e.query("page"));
    if (page < 1) throw e.error(400, "p");
    return e.json(200, { page });
  });
  r.get("/p", (e) => {
    const page = Number(e.query("page"));
    if (!(page >= 1)) throw e.error(400, "p");
    return e.json(200, { page });
  });
  r.get("/q", (e) => {
    const n = Number(e.url.searchParams.get("n"));
    if (Number.isNaN(n)) throw e.error(400, "n");
    return e.json(200, { n });
  });
  r.get("/r", (e) => {
    const v = e.url.searchParams.get("v");
    if (v === undefined) throw e.error(400, "v");
    return e.json(200, { v });
  });
  r.get("/s", (e) => {
    const v = e.query("v");
    if (v === null) throw e.error(400, "v");
    return e.json(200, { v });
  });
  r.get("/t", (e) => {
    const v = e.query("v");
    if (v !== undefined && Number.isNaN(Number(v))) throw e.error(400, "v");
    return e.json(200, { v });
  });
  r.get("/u", (e) => {
    const n = e.query("kind");
    if (!n || n in { a: 1, b: 2 }) throw e.error(400, "k");
    return e.json(200, { n });
  });
  r.get("/v", (e) => {
    const n = e.query("kind")!;
    if (Object.hasOwn({ a: 1 }, n)) throw e.error(400, "k");
    return e.json(200, { n });
  });
  r.get("/w", (e) => {
    const inc = e.queryAll("x");
    if (inc.length === 0) throw e.error(400, "x");
    return e.json(200, inc);
  });
}
