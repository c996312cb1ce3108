// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
const own: Handler = async (e) => {
  if (!e.header("X-Key")) return e.json(401, { mine: true });
  await e.next();
};
declare global {
  var load: (e: RequestEvent) => Promise<ReturnType<typeof typed>>;
}
const typed = (e: RequestEvent) => e.json(200, { other: "x" });
const log: Handler = async (e) => {
  const t = Date.now();
  try {
    await e.next();
  } finally {
    console.log(Date.now() - t, e.header("X-Log"));
  }
};
const maybe: Handler = (e) => {
  if (e.header("if-none-match") === "x") {
    e.setHeader("etag", "x");
    return e.text(304, "");
  }
  return e.next();
};
const wrap: Handler = async (e) => {
  try {
    await e.next();
  } catch (err) {
    throw e.error(599, "gateway");
  }
};
export function routes(r: VersionedRouter) {
  r.get("/a", (e) => e.json(200, { a: 1 })).bind(requireAuth());
  r.get("/b", (e) => e.json(200, { a: 1 })).bind(own, requireAuth());
  r.get("/c", (e) => {
    if (e.query("x")) return e.json(401, { body: 1 });
    return e.json(200, { a: 1 });
  }).bind(requireAuth());
  r.get("/d", async (e) => {
    if (e.query("q")) return e.json(200, { q: 1 });
    return load(e);
  });
  r.get("/f", (e) => e.json(200, { a: 1 })).bind({ id: "log", func: log }, maybe);
  r.get("/g", (e) => {
    if (e.query("x")) throw e.error(404, "x");
    return e.json(200, { a: 1 });
  }).bindFunc(wrap);
}
