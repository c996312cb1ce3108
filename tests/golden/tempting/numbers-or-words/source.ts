// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
function hex(e: RequestEvent) {
  const c = parseInt(e.query("color") ?? "ffffff", 16);
  return e.json(200, { c });
}
function idOrName(e: RequestEvent) {
  const q = e.query("user") ?? "";
  const n = Number(q);
  if (Number.isNaN(n)) return e.json(200, { name: q });
  return e.json(200, { id: n });
}
function idOrName2(e: RequestEvent) {
  const q = e.query("user")!;
  return e.json(200, isNaN(+q) ? { name: q } : { id: +q });
}
function date(e: RequestEvent) {
  const d = new Date(e.query("since") ?? 0);
  const m = new Date(Number(e.query("ms")));
  return e.json(200, { d, m });
}
function clamp(e: RequestEvent) {
  const n = Math.min(Math.max(parseInt(e.query("limit") ?? "20", 10) || 20, 1), 100);
  return e.json(200, { n });
}
function flag1(e: RequestEvent) {
  const v = e.query("verbose");
  return e.json(200, { v: v === "1" || v === "true" || v === "yes" });
}
function flag2(e: RequestEvent) {
  const v = e.query("mode");
  return e.json(200, { v: v === "true" ? true : v === "auto" ? null : false });
}
function size(e: RequestEvent) {
  const v = e.query("size");
  const m = /^(\d+)(kb|mb)$/.exec(v ?? "");
  const n = v?.endsWith("kb") ? Number(v.slice(0, -2)) : Number(v);
  return e.json(200, { n, m: m?.[1] });
}
function expandAll(e: RequestEvent) {
  const v = e.query("depth");
  const depth = v === "all" ? Infinity : Number(v ?? 1);
  return e.json(200, { depth });
}
function pageOr(e: RequestEvent) {
  const v = e.query("page");
  if (v === "last") return e.json(200, { last: true });
  return e.json(200, { page: parseInt(v ?? "1") });
}
function tryNum(e: RequestEvent) {
  const v = e.query("v");
  let n: number | string = v ?? "";
  if (/^\d+$/.test(v ?? "")) n = Number(v);
  return e.json(200, { n });
}
function intOk(e: RequestEvent) {
  const v = Number(e.query("v"));
  if (!Number.isInteger(v) || v < 1) throw e.error(400, "bad");
  return e.json(200, { v });
}
function fl(e: RequestEvent) {
  const lat = parseFloat(e.query("lat") ?? "");
  if (Number.isNaN(lat)) throw e.error(422, "lat");
  return e.json(200, { lat });
}
export function routes(r: VersionedRouter) {
  r.get("/hex", hex);
  r.get("/idOrName", idOrName);
  r.get("/idOrName2", idOrName2);
  r.get("/date", date);
  r.get("/clamp", clamp);
  r.get("/flag1", flag1);
  r.get("/flag2", flag2);
  r.get("/size", size);
  r.get("/depth", expandAll);
  r.get("/pageOr", pageOr);
  r.get("/tryNum", tryNum);
  r.get("/intOk", intOk);
  r.get("/fl", fl);
}
