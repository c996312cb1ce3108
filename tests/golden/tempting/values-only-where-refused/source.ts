// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
const STATUSES = ["open", "done"] as const;
const RESERVED = new Set(["admin", "root"]);
const LEGACY: Record<string, string> = { old: "/new" };
const A = ["x"],
  B = ["y"];
function all(e: RequestEvent) {
  const s = e.query("status") ?? "all";
  if (s !== "all" && !(STATUSES as readonly string[]).includes(s)) throw e.error(400, "bad");
  return e.json(200, { s });
}
function all2(e: RequestEvent) {
  const s = e.query("status");
  const ok = s === "any" || STATUSES.includes(s as "open");
  if (!ok) throw e.error(400, "bad");
  return e.json(200, { s });
}
function block(e: RequestEvent) {
  const n = e.query("name") ?? "";
  if (RESERVED.has(n)) throw e.error(409, "taken");
  return e.json(200, { n });
}
function block2(e: RequestEvent) {
  const n = e.query("name")!;
  const bad = RESERVED.has(n);
  if (bad) throw e.error(409, "taken");
  return e.json(200, { n });
}
function legacy(e: RequestEvent) {
  const n = e.query("page") ?? "";
  if (n in LEGACY) return e.redirect(301, LEGACY[n]!);
  return e.json(200, { n });
}
function two(e: RequestEvent) {
  const k = e.query("kind");
  const s = e.query("sort") ?? "";
  if (k === "a") {
    if (!A.includes(s)) throw e.error(400, "a");
  } else {
    if (!B.includes(s)) throw e.error(400, "b");
  }
  return e.json(200, { s });
}
function onlyIf(e: RequestEvent) {
  const k = e.query("kind");
  const s = e.query("sort") ?? "";
  if (k === "a" && !A.includes(s)) throw e.error(400, "a");
  return e.json(200, { s });
}
function upper(e: RequestEvent) {
  const s = (e.query("dir") ?? "asc").toLowerCase();
  if (!["asc", "desc"].includes(s)) throw e.error(400, "dir");
  return e.json(200, { s });
}
function csv(e: RequestEvent) {
  const f = (e.query("fields") ?? "id").split(",");
  if (!f.every((x) => ["id", "name"].includes(x))) throw e.error(400, "f");
  return e.json(200, { f });
}
function csv2(e: RequestEvent) {
  const f = e.query("fields")?.split(",") ?? [];
  for (const x of f) if (!["id", "name"].includes(x)) throw e.error(400, "f");
  return e.json(200, { f });
}
function sortSign(e: RequestEvent) {
  const s = e.query("sort") ?? "name";
  const key = s.replace(/^-/, "");
  if (!["name", "date"].includes(key)) throw e.error(400, "s");
  return e.json(200, { key, desc: s.startsWith("-") });
}
function sw(e: RequestEvent) {
  let by = "id";
  switch (e.query("by")) {
    case "n":
      by = "name";
      break;
    case "d":
      by = "date";
      break;
  }
  return e.json(200, { by });
}
function swDefault(e: RequestEvent) {
  const by = e.query("by");
  switch (by) {
    case "n":
      return e.json(200, { by });
    case "d":
      break;
    default:
      return e.json(400, { error: "no" });
  }
  return e.json(200, { by });
}
function indexOf(e: RequestEvent) {
  const s = e.query("s") ?? "";
  if (A.indexOf(s) !== -1) throw e.error(400, "no A");
  return e.json(200, { s });
}
function spec(e: RequestEvent) {
  const s = e.query("s");
  return STATUSES.includes(s as any) ? e.json(200, { s }) : e.json(200, { other: s });
}
function dflts(e: RequestEvent) {
  const k = e.query("kind");
  const n = k === "a" ? Number(e.query("limit") ?? 10) : Number(e.query("limit") ?? 50);
  return e.json(200, { n });
}
function dflts2(e: RequestEvent) {
  let n: number;
  if (e.auth) {
    n = Number(e.query("limit") || 100);
  } else {
    n = Number(e.query("limit") || 10);
  }
  return e.json(200, { n });
}
function someEq(e: RequestEvent) {
  const s = e.query("s") ?? "";
  if (["a", "b"].some((x) => s.startsWith(x))) throw e.error(400, "x");
  if (["c"].some((x) => x === s)) throw e.error(400, "y");
  return e.json(200, { s });
}
export function routes(r: VersionedRouter) {
  for (const [n, f] of Object.entries({
    all,
    all2,
    block,
    block2,
    legacy,
    two,
    onlyIf,
    upper,
    csv,
    csv2,
    sortSign,
    sw,
    swDefault,
    indexOf,
    spec,
    dflts,
    dflts2,
    someEq,
  }))
    r.get("/" + n, f);
}
