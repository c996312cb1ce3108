// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
interface Todo {
  id: string;
  title: string;
}
declare global {
  var todo: () => Todo;
  var cond: () => boolean;
}
const send =
  <T>(data: T) =>
  (e: RequestEvent) =>
    e.json(200, data);
const sendS = (status: 200 | 201, data: Todo) => (e: RequestEvent, extra: string) => e.json(status, data);
const withE =
  (e: RequestEvent) =>
  <T>(data: T) =>
    e.json(200, data);
const responder = (e: RequestEvent) => ({
  ok: <T>(data: T) => e.json(200, data),
  fail: (m: string, status: 400 | 404 = 400) => e.json(status, { m }),
});
function each(e: RequestEvent, data: Todo[]) {
  return [1].map((data2) => e.json(200, data))[0];
}
function later(e: RequestEvent, data: Todo) {
  const go = (x: string) => e.json(200, data);
  return go("s");
}
function swap(data: Todo, e: RequestEvent) {
  return ((e2: RequestEvent, n: number) => e2.json(200, data))(e, 5);
}
export function routes(r: VersionedRouter) {
  r.get("/a", (e) => send(todo())(e));
  r.get("/a2", send({ x: 1 }));
  r.get("/b", (e) => sendS(201, todo())(e, "x"));
  r.get("/c", (e) => withE(e)(todo()));
  r.get("/d", (e) => {
    const { ok, fail } = responder(e);
    if (cond()) return fail("x");
    if (!cond()) return fail("y", 404);
    return ok(todo());
  });
  r.get("/f", (e) => each(e, [todo()]));
  r.get("/g", (e) => later(e, todo()));
  r.get("/h", (e) => swap(todo(), e));
}
