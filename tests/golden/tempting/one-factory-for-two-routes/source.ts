// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
function defineRoute<R>(run: (e: RequestEvent) => R) {
  function handler(e: RequestEvent) {
    return e.json(200, { result: run(e) });
  }
  return handler;
}
function crudFor<T extends object>(load: () => T) {
  return {
    list: (e: RequestEvent) => e.json(200, { items: [load()] }),
    get: (e: RequestEvent) => e.json(200, { item: load(), id: e.pathValue("id") }),
  };
}
function resource<T extends object>(load: () => T) {
  const one = async (e: RequestEvent) => {
    const body = await e.bindBody<{ patch: Partial<T> }>();
    return e.json(200, { one: load(), body });
  };
  return one;
}
class Controller<T extends object> {
  load: () => T;
  constructor(l: () => T) {
    this.load = l;
  }
  show = (e: RequestEvent) => e.json(200, { shown: this.load() });
  async index(e: RequestEvent) {
    return e.json(200, { rows: [this.load()] });
  }
}
interface User {
  name: string;
}
interface Post {
  title: string;
}
const u = () => ({ name: "x" }) as User,
  p = () => ({ title: "x" }) as Post;
export function routes(r: VersionedRouter) {
  const a = defineRoute(() => ({ aaa: 1 }));
  const b = defineRoute(() => ({ bbb: "x" }));
  r.get("/a", a);
  r.get("/b", b);
  r.crud("users", crudFor(u));
  r.crud("posts", crudFor(p));
  r.post("/ru", resource(u));
  r.post("/rp", resource(p));
  const cu = new Controller(u),
    cp = new Controller(p);
  r.get("/cu", cu.show);
  r.get("/cp", cp.show);
  r.get("/iu", (e) => cu.index(e));
  r.get("/ip", cp.index.bind(cp));
}
