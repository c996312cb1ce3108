import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import Router from "@koa/router";
import Koa3, { type Context } from "koa";
import Koa2 from "koa-2";
import { chunks } from "../hosts/host.ts";
import {
  type Application,
  type ComparedKind,
  describeFailure,
  endlessSource,
  onServer,
  readJson,
  type Setup,
  watch,
} from "./application.ts";
import { describeError, fail } from "./failures.ts";
import { createLibraries, createUpload, describeUpload, runLibrary } from "./libraries.ts";
import { responses } from "./responses.ts";
import { failureOf, type NativeName } from "./scenarios.ts";

const setBody = (ctx: Context, body: unknown): void => {
  ctx.body = body;
};

const natives: Record<NativeName, (ctx: Context) => void> = {
  json: (ctx) => setBody(ctx, { hello: "world" }),
  text: (ctx) => setBody(ctx, "hello"),
  buffer: (ctx) => setBody(ctx, Buffer.from("hello")),
  empty: (ctx) => setBody(ctx, null),
  stream: (ctx) => setBody(ctx, Readable.from(chunks(), { objectMode: false })),
  html: (ctx) => void Object.assign(ctx, { status: 202, body: "<p>hello</p>" }),
  redirect: (ctx) => ctx.redirect("/elsewhere"),
  missing: (ctx) => ctx.throw(404, "missing"),
  cookie: (ctx) => void ctx.cookies.set("a", "1").set("b", "2"),
};

function createRouter({ note }: Setup): Router {
  const router = new Router();
  const upload = createUpload();
  router.get("/native/never", () => new Promise(() => {}));
  router.get("/native/:name", (ctx) => natives[ctx.params.name as NativeName](ctx));
  router.get("/respond/:index", (ctx) => {
    ctx.respond = false;
    Object.values(responses)[Number(ctx.params.index)]!(ctx.res);
  });
  router.get("/fail/:moment/:way/:error", (ctx) => {
    const { moment, way, error } = ctx.params;
    const failure = failureOf(moment!, way!, error!);
    if (failure.moment !== "before the headers" && failure.way !== "body") ctx.respond = false;
    const send = (body: Readable) => setBody(ctx, body);
    const pass = (failed: unknown) => ctx.onerror(failed as Error);
    return fail(failure, { response: ctx.res, pass, send, note }) as Promise<void>;
  });
  router.post("/echo", async (ctx) => {
    ctx.body = { read: await readJson(ctx.req) };
    ctx.status = 201;
  });
  router.post("/upload", async (ctx) => {
    await runLibrary(upload, ctx.req, ctx.res);
    ctx.body = describeUpload(ctx.req);
  });
  router.get("/download/pipe", (ctx) => {
    ctx.respond = false;
    endlessSource().pipe(ctx.res);
  });
  router.get("/download/pipeline", (ctx) => {
    ctx.respond = false;
    pipeline(endlessSource(), ctx.res, (error) => {
      note(`pipeline ${describeError(error)}`);
      ctx.onerror(error as Error);
    });
  });
  router.get("/download/body", (ctx) => setBody(ctx, endlessSource()));
  return router;
}

function create(Koa: typeof Koa3) {
  return (setup: Setup): Application => {
    const { isFull, note } = setup;
    const app = new Koa();
    const libraries = createLibraries();
    if (isFull) {
      app.use(async (ctx, next) => {
        await runLibrary(libraries, ctx.req, ctx.res);
        await next();
      });
    }
    app.use(async (ctx, next) => {
      if (ctx.path === "/ok") {
        ctx.body = "ok";
        return;
      }
      watch(ctx.res, note);
      await next();
    });
    if (isFull) {
      app.use(async (ctx, next) => {
        try {
          await next();
        } catch (error) {
          note(`handled ${describeError(error)}`);
          Object.assign(ctx, describeFailure(error));
        }
      });
    }
    app.use(createRouter(setup).routes());
    return onServer(app, createServer(app.callback()));
  };
}

/** Koa does not close a connection whose headers are sent, and ignores `null` as an error. */
const leavesOpen: ComparedKind["leavesOpen"] = ({ failure }, isFull) => {
  if (failure === undefined || failure.way === "pipeline" || failure.way === "body") return false;
  if (failure.moment !== "before the headers") return failure.moment !== "after the end";
  return failure.error === "null" && !isFull && !failure.way.startsWith("pass");
};

export const koa3Kind: ComparedKind = { create: create(Koa3), leavesOpen };
export const koa2Kind: ComparedKind = {
  create: create(Koa2 as unknown as typeof Koa3),
  // Version 2 does not destroy the response if its body fails.
  leavesOpen(scenario, isFull) {
    const { way, moment } = scenario.failure ?? {};
    return leavesOpen(scenario, isFull) || (way === "body" && moment !== "before the headers");
  },
};
