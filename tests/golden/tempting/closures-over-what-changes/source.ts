// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
class Rd {
  name = "c1";
  e: RequestEvent;
  constructor(e: RequestEvent) {
    this.e = e;
  }
  read() {
    return this.e.query(this.name);
  }
}
declare global {
  var cn: () => boolean;
}
export function routes(r: VersionedRouter) {
  r.get("/a", (e) => {
    let name = "a1";
    const get = () => e.query(name);
    const x = get();
    name = "a2";
    const y = get();
    return e.json(200, { x, y });
  });
  r.get("/b", (e) => {
    const rd = new Rd(e);
    const x = rd.read();
    rd.name = "c2";
    const y = rd.read();
    return e.json(200, { x, y });
  });
  r.get("/c", (e) => {
    let status = 200;
    const send = (d: object) => e.json(status, d);
    if (cn()) {
      status = 404;
      return send({ no: 1 });
    }
    return send({ yes: 1 });
  });
  r.get("/d", (e) => {
    let status = 200;
    const end = () => e.json(status, { a: 1 });
    if (cn()) return end();
    status = 202;
    return end();
  });
  r.get("/f", (e) => {
    const flag = ["1", "true", "yes"].includes(e.query("flag")!);
    return e.json(200, { flag });
  });
  r.get("/g", (e) => {
    const f = e.query("format");
    const asCsv = f === "csv";
    if (f && !["csv", "json"].includes(f)) throw e.error(406, "f");
    return asCsv ? e.text(200, "a,b") : e.json(200, { a: 1 });
  });
  r.get("/h", (e) => {
    const k = e.query("k");
    if (k === "a") return e.json(200, { a: 1 });
    else if (k === "b") return e.json(200, { b: 1 });
    throw e.error(400, "k");
  });
  r.get("/i", (e) => {
    const ids = e.query("ids")?.split(",").map(Number) ?? [];
    if (ids.some(Number.isNaN)) throw e.error(400, "ids");
    return e.json(200, ids);
  });
  r.get("/j", (e) => {
    const raw = e.query("filter");
    const f = raw ? (JSON.parse(raw) as { a: number }) : { a: 0 };
    return e.json(200, f);
  });
  r.get("/k", (e) => {
    const n = Number(e.query("n") ?? "x");
    return e.json(200, { n: Number.isNaN(n) ? null : n });
  });
  r.get("/l", (e) => {
    const lim = e.query("limit") ? Number(e.query("limit")) : 20;
    const off = +(e.query("offset") || 0);
    return e.json(200, { lim, off });
  });
  r.get("/m", (e) => {
    const v = e.query("v");
    const on = v === undefined || v === "" || v === "true";
    const neg = e.query("neg") !== "false";
    return e.json(200, { on, neg });
  });
  r.get("/n", (e) => {
    const since = e.header("If-Modified-Since");
    const d = since ? Date.parse(since) : NaN;
    const depth = e.header("Depth") === "infinity" ? Infinity : Number(e.header("Depth"));
    return e.json(200, { d, depth });
  });
  r.get("/o", (e) => {
    const v = e.query("v")!;
    const asBool = v === "true";
    const asText = v;
    return e.json(200, { asBool, asText });
  });
  r.get("/p", (e) => {
    const id = e.query("id");
    const n = id?.startsWith("u_") ? id : Number(id);
    return e.json(200, { n });
  });
  r.get("/q", (e) => {
    const v = e.query("cursor") ?? "0";
    const n = Number(Buffer.from(v, "base64url").toString());
    const m = Number(atob(e.query("c2") ?? ""));
    return e.json(200, { n, m });
  });
}
