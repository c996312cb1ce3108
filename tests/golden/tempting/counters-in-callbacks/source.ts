// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
declare global {
  var items: () => { ok: boolean }[];
}
function a(e: RequestEvent) {
  let failures = 0;
  globalThis.items().forEach((i) => {
    if (!i.ok) failures++;
  });
  if (failures === 0) return e.json(200, { done: true });
  return e.json(207, { failures });
}
function b(e: RequestEvent) {
  let found = false;
  globalThis.items().forEach((i) => {
    if (i.ok) found = true;
  });
  if (!found) throw e.error(404, "None.");
  return e.json(200, { found });
}
function c(e: RequestEvent) {
  let status = 200;
  for (const i of globalThis.items()) {
    if (!i.ok) status = 207;
  }
  return e.json(status, { n: 1 });
}
async function d(e: RequestEvent) {
  let status = 200;
  const mark = () => {
    status = 202;
  };
  await Promise.all(
    globalThis.items().map(async (i) => {
      if (i.ok) mark();
    }),
  );
  return e.json(status, { n: 1 });
}
function f(e: RequestEvent) {
  let i = 0;
  while (i < 3) {
    i++;
    if (globalThis.items().length === i) break;
  }
  if (i === 0) throw e.error(409, "never?");
  let n = 199;
  n++;
  return e.json(n, { i });
}
function g(e: RequestEvent) {
  const errors: string[] = [];
  globalThis.items().forEach((i) => {
    if (!i.ok) errors.push("x");
  });
  if (errors.length) return e.json(422, { errors });
  return e.json(200, { ok: true });
}
function h(e: RequestEvent) {
  let done;
  for (let tries = 0; tries < 3; tries++) {
    done = globalThis.items()[tries];
    if (done) break;
  }
  if (!done) throw e.error(504, "No luck.");
  return e.json(200, done);
}
export function routes(router: VersionedRouter) {
  router.get("/a", a);
  router.get("/b", b);
  router.get("/c", c);
  router.get("/d", d);
  router.get("/f", f);
  router.get("/g", g);
  router.get("/h", h);
}
