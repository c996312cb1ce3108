// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
import qs from "node:querystring";
import { parse as parseUrl } from "node:url";
import { z } from "zod";
const Query = z.object({ page: z.coerce.number().default(1), q: z.string().optional() });
function origin(e: RequestEvent) {
  const u = new URL(`${e.url.origin}/other?x=1`);
  return e.json(200, { v: u.searchParams.get("notquery") });
}
function href(e: RequestEvent) {
  const u = new URL(e.url.href);
  u.searchParams.set("cursor", "1");
  return e.json(200, { self: u.toString(), v: u.searchParams.get("real") });
}
function href2(e: RequestEvent) {
  const back = new URL("/login?next=" + e.url.href, "http://x");
  return e.json(200, { v: back.searchParams.get("next") });
}
function href3(e: RequestEvent) {
  const back = `https://sso.example/?return=${e.url.href}`;
  const u = new URL(back);
  return e.json(200, { v: u.searchParams.get("return") });
}
function referer(e: RequestEvent) {
  const u = new URL(e.header("Referer") ?? "http://x");
  return e.json(200, { v: u.searchParams.get("utm") });
}
function own(e: RequestEvent) {
  const p = new URLSearchParams({ a: e.query("b") ?? "" });
  p.append("c", "d");
  return e.json(200, { v: p.get("a"), w: p.toString() });
}
function hdr(e: RequestEvent) {
  const p = new URLSearchParams(e.header("x-filter"));
  return e.json(200, { v: p.get("inner") });
}
function split(e: RequestEvent) {
  const p = new URLSearchParams(e.request.url!.split("?")[1]);
  return e.json(200, { v: p.get("real") });
}
function qstr(e: RequestEvent) {
  const p = qs.parse(e.url.search.slice(1));
  return e.json(200, { v: p.real });
}
function legacyUrl(e: RequestEvent) {
  const { query } = parseUrl(e.request.url!, true);
  return e.json(200, { v: query.real });
}
function zodQ(e: RequestEvent) {
  const q = Query.parse(Object.fromEntries(e.url.searchParams));
  return e.json(200, q);
}
function spreadQ(e: RequestEvent) {
  const { page, ...rest } = Object.fromEntries([...e.url.searchParams]);
  return e.json(200, { page, rest });
}
function iter(e: RequestEvent) {
  const f: Record<string, string> = {};
  for (const [k, v] of e.url.searchParams) if (k.startsWith("f_")) f[k] = v;
  e.url.searchParams.forEach((v, k) => {
    f[k] = v;
  });
  return e.json(200, f);
}
function sized(e: RequestEvent) {
  const { searchParams: sp } = e.url;
  if (sp.size === 0) throw e.error(400, "none");
  const get = (n: string, d = "0") => sp.get(n) ?? d;
  return e.json(200, { a: get("a"), b: get("b", "x") });
}
function bound(e: RequestEvent) {
  const q = e.query.bind(e);
  const [a, b] = ["a", "b"].map((n) => q(n));
  const h = e["header"]("x-h");
  const m = "query" as const;
  return e.json(200, { a, b, h, c: e[m]("c") });
}
function opt(e?: RequestEvent) {
  const v = e?.query?.("v");
  return e!.json(200, { v, w: e?.url?.searchParams?.get("w") });
}
function loopNames(e: RequestEvent) {
  const out: Record<string, string | undefined> = {};
  for (const n of ["x", "y"] as const) out[n] = e.query(`f_${n}`);
  for (const n in { p: 1, q: 2 }) out[n] = e.query(n);
  for (let i = 0; i < 3; i++) out[i] = e.query(`i${i}`);
  return e.json(200, out);
}
function table(e: RequestEvent) {
  const spec = { page: { type: "int", dflt: 1 }, q: { type: "str", dflt: "" } } as const;
  const out = Object.fromEntries(Object.entries(spec).map(([k, s]) => [k, e.query(k) ?? s.dflt]));
  return e.json(200, out);
}
function outgoing(e: RequestEvent) {
  const headers = new Headers({ a: "b" });
  const req = { headers: { "x-not": "1" } };
  return e.json(200, {
    v: headers.get("not"),
    w: req.headers["x-not"],
    x: e.header("X-Real"),
    y: e.request.headers["X-REAL".toLowerCase()],
    z: e.request.headers.authorization,
    a: e.header("Accept"),
    c: e.header("content-type"),
    k: e.cookie("sid"),
  });
}
function mapParam(e: RequestEvent) {
  const cache = new Map<string, string>();
  return e.json(200, {
    v: cache.get("k"),
    w: { query: (s: string) => s }.query("no"),
    x: e.get<string>("user"),
  });
}
export function routes(r: VersionedRouter) {
  for (const [n, f] of Object.entries({
    origin,
    href,
    href2,
    href3,
    referer,
    own,
    hdr,
    split,
    qstr,
    legacyUrl,
    zodQ,
    spreadQ,
    iter,
    sized,
    bound,
    opt,
    loopNames,
    table,
    outgoing,
    mapParam,
  }))
    r.get("/" + n, f);
}
