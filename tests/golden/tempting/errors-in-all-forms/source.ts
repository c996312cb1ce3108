// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
class Res {
  #loaded = false;
  constructor(id: string) {
    if (!id) throw new ApiError(422, "No id.");
  }
  get owner() {
    if (!this.#loaded) throw new ApiError(409, "Not loaded.");
    return "me";
  }
  static of(id: string) {
    return new Res(id);
  }
}
function ctor(e: RequestEvent) {
  const r = new Res(e.query("id") ?? "");
  return e.json(200, { ok: !!r });
}
function getter(e: RequestEvent) {
  const r = Res.of(e.query("id") ?? "");
  return e.json(200, { owner: r.owner });
}
const obj = {
  get current(): string {
    throw new ApiError(423, "Locked.");
  },
};
function objGetter(e: RequestEvent) {
  return e.json(200, { c: obj.current });
}
declare global {
  var rows: () => Promise<{ id: number; bad: boolean }[]>;
  var lib: any;
}
async function mapCb(e: RequestEvent) {
  const rows = await globalThis.rows();
  const out = rows.map((r) => {
    if (r.bad) throw e.error(422, "bad row");
    return r.id;
  });
  rows.forEach((r) => {
    if (!r.id) throw new ApiError(424, "dep");
  });
  return e.json(200, out);
}
async function all(e: RequestEvent) {
  const rows = await globalThis.rows();
  const x = await Promise.all(rows.map(async (r) => check(r)));
  return e.json(200, x);
}
async function check(r: { bad: boolean }) {
  if (r.bad) throw new ApiError(402, "Pay.");
  return true;
}
async function noAwait(e: RequestEvent) {
  try {
    return load(e);
  } catch {
    return e.json(500, { failed: true });
  }
}
async function withAwait(e: RequestEvent) {
  try {
    return await load(e);
  } catch {
    return e.json(502, { failed: true });
  }
}
async function load(e: RequestEvent) {
  if (e.query("no")) throw e.error(404, "no");
  return e.json(200, { l: 1 });
}
async function rethrowTernary(e: RequestEvent) {
  try {
    await check({ bad: true });
  } catch (err) {
    throw err instanceof ApiError ? err : e.error(502, "wrapped");
  }
  return e.noContent();
}
async function byStatus(e: RequestEvent) {
  try {
    await check({ bad: true });
  } catch (err) {
    if (err instanceof ApiError && err.status === 402) return e.json(200, { paid: false });
    throw err;
  }
  return e.json(200, { paid: true });
}
async function viaHelper(e: RequestEvent) {
  try {
    await check({ bad: true });
    return e.noContent();
  } catch (err) {
    return handle(e, err);
  }
}
function handle(e: RequestEvent, err: unknown) {
  if (err instanceof ApiError) throw err;
  return e.json(500, { message: String(err) });
}
async function catchThen(e: RequestEvent) {
  const r = await check({ bad: true }).catch((err) => {
    throw e.error(503, "later");
  });
  return e.json(200, { r });
}
async function catchNull(e: RequestEvent) {
  const r = await check({ bad: true }).catch(() => null);
  return e.json(200, { r });
}
async function catchRe(e: RequestEvent) {
  const r = await check({ bad: true }).catch((err) => {
    console.error(err);
    throw err;
  });
  return e.json(200, { r });
}
async function fin(e: RequestEvent) {
  try {
    await check({ bad: true });
  } finally {
    console.log("x");
  }
  return e.json(200, { f: 1 });
}
async function finRet(e: RequestEvent) {
  try {
    await check({ bad: true });
    return e.json(200, { a: 1 });
  } catch (x) {
    console.error(x);
    throw x;
  } finally {
    console.log(1);
  }
}
function assertNever(x: never): never {
  throw new ApiError(500, "never");
}
function must<T>(v: T | null | undefined, status: number, msg: string): T {
  if (v == null) throw new ApiError(status, msg);
  return v;
}
function mustUse(e: RequestEvent) {
  const q = must(e.query("q"), 428, "q please");
  return e.json(200, { q });
}
function assertIt(cond: unknown, err: ApiError): asserts cond {
  if (!cond) throw err;
}
function assertUse(e: RequestEvent) {
  const q = e.query("q");
  assertIt(q, e.error(400, "q"));
  return e.json(200, { q });
}
const Errors = {
  notFound: (what: string) => new ApiError(404, `${what} not found`),
  conflict: () => new ApiError(409, "Conflict."),
} as const;
function map(e: RequestEvent) {
  if (e.query("a")) throw Errors.notFound("A");
  if (e.query("b")) throw Errors.conflict();
  return e.noContent();
}
class HttpError extends ApiError {
  static readonly codes = { gone: 410, teapot: 418 } as const;
  constructor(kind: keyof typeof HttpError.codes) {
    super(HttpError.codes[kind], kind);
  }
}
function kinds(e: RequestEvent) {
  if (e.query("a")) throw new HttpError("gone");
  return e.noContent();
}
function plain(e: RequestEvent) {
  if (e.query("a")) throw Object.assign(new Error("x"), { status: 404 });
  return e.noContent();
}
async function timer(e: RequestEvent) {
  setTimeout(() => {
    throw new ApiError(499, "x");
  }, 10);
  void check({ bad: true });
  return e.noContent();
}
export function routes(r: VersionedRouter) {
  for (const [n, f] of Object.entries({
    ctor,
    getter,
    objGetter,
    mapCb,
    all,
    noAwait,
    withAwait,
    rethrowTernary,
    byStatus,
    viaHelper,
    catchThen,
    catchNull,
    catchRe,
    fin,
    finRet,
    mustUse,
    assertUse,
    map,
    kinds,
    plain,
    timer,
  }))
    r.get("/" + n, f);
}
