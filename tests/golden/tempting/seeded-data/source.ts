// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
interface Todo {
  id: number;
  title: string;
  done: boolean;
}
const todos = [
  { id: 1, title: "x", done: false },
  { id: 2, title: "y", done: true },
];
const typed: Todo[] = [{ id: 1, title: "x", done: false }];
const byId: Record<string, Todo> = { a: { id: 1, title: "x", done: false } };
const plans = { free: { seats: 1 }, pro: { seats: 10 } };
export function routes(r: VersionedRouter) {
  r.get("/a/{id}", (e) => {
    const t = todos.find((x) => x.id === Number(e.pathValue("id")));
    if (!t) throw e.error(404, "none");
    return e.json(200, t);
  });
  r.get("/b/{i}", (e) => {
    const t = typed[Number(e.pathValue("i"))];
    if (!t) throw e.error(404, "none");
    return e.json(200, t);
  });
  r.get("/c/{k}", (e) => {
    const t = byId[e.pathValue("k")];
    if (!t) return e.json(404, { missing: true });
    return e.json(200, t);
  });
  r.get("/d", (e) => {
    const p = plans[e.query("plan") as "free"];
    if (!p) throw e.error(400, "plan");
    return e.json(200, p);
  });
  r.get("/f", (e) => {
    const t = todos.at(-1);
    if (!t) return e.noContent();
    return e.json(200, t);
  });
  r.get("/g", (e) => {
    const t = todos.find((x) => x.done);
    return t ? e.json(200, t) : e.json(404, { no: 1 });
  });
  r.get("/h", (e) => {
    const t = todos.filter((x) => x.done)[0];
    if (t === undefined) throw e.error(404, "n");
    return e.json(200, t);
  });
  r.get("/i", (e) => {
    const t = todos.pop();
    if (!t) throw e.error(410, "n");
    return e.json(200, t);
  });
  r.get("/k", (e) => {
    if (todos[0]!.done) return e.json(201, { d: 1 });
    return e.json(200, { d: 0 });
  });
}
export const finish = () => {
  todos[0]!.done = true;
};
