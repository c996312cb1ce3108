// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
class NotFound extends Error {}
const errors: Handler = async (e) => {
  try {
    await e.next();
  } catch (err) {
    if (err instanceof NotFound) return e.json(404, { code: "nf" as const });
    if (err instanceof ApiError) return e.json(err.status, { code: "api" as const, message: err.message });
    throw err;
  }
};
const swallow: Handler = async (e) => {
  try {
    await e.next();
  } catch {
    return e.json(500, { boom: true });
  }
};
const apiKey: Handler = async (e) => {
  const k = e.header("X-API-Key");
  if (!k) return e.json(401, { error: "key" });
  if (k.length < 3) throw e.error(403, "short");
  e.set("k", k);
  return e.next();
};
const role = (name: "admin" | "user") => async (e: RequestEvent) => {
  if (e.cookie("role") !== name) throw e.error(403, `Only ${name}.`);
  await e.next();
};
const limit = ({ max = 10, header = "X-Client" } = {}) => ({
  id: "limit",
  func: async (e: RequestEvent) => {
    if ((e.header(header)?.length ?? 0) > max) throw e.error(429, "Slow.");
    await e.next();
  },
});
export function routes(r: VersionedRouter) {
  r.get("/e", (e) => {
    if (e.query("x")) throw new NotFound();
    if (e.query("y")) throw e.error(409, "y");
    return e.json(200, { a: 1 });
  }).bindFunc(errors);
  r.get("/s", (e) => {
    if (e.query("y")) throw e.error(409, "y");
    return e.json(200, { a: 1 });
  }).bind(swallow);
  r.get("/k", (e) => e.json(200, { a: 1 })).bind(apiKey, requireAuth());
  r.get("/r", (e) => e.json(200, { a: 1 })).bind(role("admin"));
  r.get("/l", (e) => e.json(200, { a: 1 })).bind(limit(), limit({ header: "X-Other" }));
}
