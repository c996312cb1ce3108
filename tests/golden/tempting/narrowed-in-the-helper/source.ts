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
  done: boolean;
}
declare global {
  var find: () => Promise<Todo | null>;
}
function send<T>(e: RequestEvent, data: T | null) {
  if (data === null) throw e.error(404, "none");
  return e.json(200, data);
}
function sendS(e: RequestEvent, status: 200 | 204, data?: Todo | null) {
  if (status === 204) return e.noContent();
  return e.json(status, data ?? { empty: true });
}
function reassign(e: RequestEvent, data: unknown) {
  data = { wrapped: data };
  return e.json(200, data);
}
function maybeReassign(e: RequestEvent, data: Todo | string) {
  if (typeof data === "string") data = { id: data, done: false };
  return e.json(200, data);
}
function spreadIt(e: RequestEvent, ...data: Todo[]) {
  return e.json(200, data);
}
function dflt(e: RequestEvent, data: object = { empty: true }) {
  return e.json(200, data);
}
function unpack(e: RequestEvent, { status = 200, data }: { status?: 200 | 201; data: Todo }) {
  return e.json(status, data);
}
export function routes(r: VersionedRouter) {
  r.get("/a", async (e) => send(e, await globalThis.find()));
  r.get("/b", async (e) => sendS(e, 204));
  r.get("/b2", async (e) => sendS(e, 200, await globalThis.find()));
  r.get("/c", async (e) => reassign(e, await globalThis.find()));
  r.get("/d", async (e) => maybeReassign(e, e.query("x") ?? ""));
  r.get("/f", async (e) => spreadIt(e, (await globalThis.find())!));
  r.get("/g", async (e) => dflt(e));
  r.get("/g2", async (e) => dflt(e, { a: 1 }));
  r.get("/h", async (e) => unpack(e, { status: 201, data: (await globalThis.find())! }));
  r.get("/i", (e) => e.json(200, globalThis.find()));
}
