// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
interface U {
  name: string;
}
declare global {
  var fill: (o: object) => Promise<void>;
  var tx: (f: () => void) => Promise<void>;
  var work: () => void;
  var opts: () => { status?: number };
  var cond: () => boolean;
}
const settings: { maintenance?: boolean } = {};
export const configure = (o: Partial<typeof settings>) => Object.assign(settings, o);
class Flags {
  static beta = false;
  static enable() {
    this.beta = true;
  }
  static {
    Flags.beta ||= false;
  }
}
function reply(e: RequestEvent, data: object, o: { status?: number } = {}) {
  const all = { status: 200, ...o };
  return e.json(all.status, data);
}
export function routes(r: VersionedRouter) {
  r.get("/a", async (e) => {
    const res: { user: U | null } = { user: null };
    await fill(res);
    if (!res.user) throw e.error(401, "who");
    return e.json(200, res.user);
  });
  r.get("/b", async (e) => {
    const out: U[] = [];
    for (let i = 0; i < 3; i++) out[i] = { name: "x" };
    if (!out[0]) throw e.error(404, "n");
    return e.json(200, out[0]);
  });
  r.get("/b2", async (e) => {
    const out: U[] = [];
    await fill(out);
    const [first] = out;
    if (!first) throw e.error(404, "n");
    return e.json(200, first);
  });
  r.get("/c", async (e) => {
    let ok = false;
    await tx(() => {
      ok = true;
    });
    if (!ok) throw e.error(409, "c");
    return e.json(200, { ok: 1 });
  });
  r.get("/d", (e) => {
    if (settings.maintenance) throw e.error(503, "m");
    return e.json(200, { a: 1 });
  });
  r.get("/f", (e) => {
    if (Flags.beta) return e.json(202, { b: 1 });
    return e.json(200, { a: 1 });
  });
  r.get("/g", (e) => reply(e, { a: 1 }, opts()));
  r.get("/g2", (e) => reply(e, { a: 1 }, { status: 201 }));
  r.get("/g3", (e) => reply(e, { a: 1 }, cond() ? { status: 206 } : {}));
  r.get("/h", (e) => {
    const o = { status: 200, ...(cond() ? { status: 207 } : {}) };
    return e.json(o.status, { a: 1 });
  });
  r.get("/h2", (e) => {
    const o = { status: 200 };
    Object.assign(o, cond() && { status: 208 });
    return e.json(o.status, { a: 1 });
  });
  r.get("/h3", (e) => {
    const o = { status: 200 };
    if (cond()) Object.assign(o, { status: 208 });
    return e.json(o.status, { a: 1 });
  });
  r.get("/i", (e) => {
    let status = 500;
    try {
      work();
      status = 200;
    } catch {}
    return e.json(status, { a: 1 });
  });
  r.get("/i2", (e) => {
    let failed = true;
    try {
      work();
      failed = false;
    } catch {
      console.log(1);
    }
    if (failed) return e.json(502, { f: 1 });
    return e.json(200, { a: 1 });
  });
  r.get("/j", (e) => {
    let status = 0;
    if (cond()) status = 200;
    else status = 404;
    return e.json(status, { a: 1 });
  });
  r.get("/k", (e) => {
    let status;
    if (cond()) status = 200;
    else status = 404;
    return e.json(status, { a: 1 });
  });
  r.get("/k2", (e) => {
    let status: number;
    switch (e.query("x")) {
      case "a":
        status = 200;
        break;
      default:
        status = 400;
    }
    return e.json(status, { a: 1 });
  });
  r.get("/l", (e) => {
    const h: Record<string, string> = { page: "page" };
    h.page = cond() ? "p" : "q";
    delete h.page;
    return e.json(200, { v: e.query(h.page ?? "fallback") });
  });
  r.get("/m", (e) => {
    const st = { code: 200 };
    const fail = (c: number) => {
      st.code = c;
    };
    if (cond()) fail(404);
    return e.json(st.code, { a: 1 });
  });
  r.get("/n", (e) => {
    let code = 200;
    const fail = (c: number) => {
      code = c;
    };
    if (cond()) fail(404);
    return e.json(code, { a: 1 });
  });
  r.get("/o", (e) => {
    const ctx: { status: number; err?: string } = { status: 200 };
    steps(ctx);
    if (ctx.err) return e.json(422, { err: ctx.err });
    return e.json(ctx.status, { a: 1 });
  });
  r.get("/p", (e) => {
    const b = new Builder();
    if (cond()) b.fail(409);
    return e.json(b.code, { a: 1 });
  });
  r.get("/q", (e) => {
    let code = 200;
    if (cond()) {
      code = 201;
      if (cond()) return e.json(code, { x: 1 });
      code = 202;
    }
    return e.json(code, { a: 1 });
  });
}
class Builder {
  code = 200;
  fail(n: number) {
    this.code = n;
  }
}
function steps(ctx: { err?: string }) {
  if (cond()) ctx.err = "bad";
}
