// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
declare global {
  var cnd: () => boolean;
}
class NF extends ApiError {
  constructor() {
    super(404, "nf");
  }
}
class CF extends ApiError {
  constructor() {
    super(409, "cf");
  }
}
async function load() {
  if (cnd()) throw new NF();
  if (cnd()) throw new CF();
  return { id: 1 };
}
export function routes(r: VersionedRouter) {
  r.get("/a", async (e) => {
    try {
      return e.json(200, await load());
    } catch (err) {
      if (!(err instanceof NF)) throw err;
      return e.json(200, { id: 0 });
    }
  });
  r.get("/b", async (e) => {
    try {
      return e.json(200, await load());
    } catch (err) {
      const x = err as Error;
      if (x instanceof NF) return e.json(410, { gone: 1 });
      throw x;
    }
  });
  r.get("/c", async (e) => {
    try {
      return e.json(200, await load());
    } catch (err) {
      switch (true) {
        case err instanceof NF:
          return e.json(410, { gone: 1 });
        default:
          throw err;
      }
    }
  });
  r.get("/d", async (e) => {
    try {
      return e.json(200, await load());
    } catch (err) {
      return err instanceof NF ? e.json(410, { gone: 1 }) : Promise.reject(err);
    }
  });
  r.get("/f", async (e) => {
    try {
      return e.json(200, await load());
    } catch (err: any) {
      if (err.constructor === NF) return e.noContent();
      throw e.error(err.status ?? 500, err.message);
    }
  });
  r.get("/g", async (e) => {
    let last: unknown;
    for (let i = 0; i < 3; i++) {
      try {
        return e.json(200, await load());
      } catch (err) {
        last = err;
      }
    }
    throw last;
  });
  r.get("/h", async (e) => {
    const [err, v] = await load().then(
      (x) => [null, x] as const,
      (x: ApiError) => [x, null] as const,
    );
    if (err) throw err;
    return e.json(200, v);
  });
  r.get("/i", async (e) => {
    const res = await to(load());
    if (!res.ok) throw res.error;
    return e.json(200, res.value);
  });
  r.get("/j", async (e) => {
    const p = load();
    p.catch(() => {});
    return e.json(200, await p);
  });
  r.get("/k", async (e) => {
    try {
      return load().then((x) => e.json(200, x));
    } catch {
      return e.json(500, { never: 1 });
    }
  });
  r.get("/l", async (e) => {
    await Promise.any([load(), load()]).catch((err) => {
      throw e.error(503, "any");
    });
    return e.noContent();
  });
}
async function to<T>(p: Promise<T>) {
  try {
    return { ok: true as const, value: await p };
  } catch (error) {
    return { ok: false as const, error };
  }
}
