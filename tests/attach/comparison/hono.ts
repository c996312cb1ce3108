import type { Server } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { setCookie } from "hono/cookie";
import { streamText } from "hono/streaming";
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

type Bindings = { Bindings: HttpBindings };
type HonoContext = Context<Bindings>;

const natives: Record<NativeName, (c: HonoContext) => Response | Promise<Response>> = {
  json: (c) => c.json({ hello: "world" }),
  text: (c) => c.text("hello"),
  buffer: (c) => c.body(new Uint8Array([104, 105])),
  empty: (c) => c.body(null, 204),
  stream: (c) =>
    streamText(c, async (stream) => {
      for (const chunk of chunks()) await stream.write(chunk);
    }),
  html: (c) => c.html("<p>hello</p>", 202),
  redirect: (c) => c.redirect("/elsewhere"),
  missing: (c) => c.notFound(),
  cookie(c) {
    setCookie(c, "a", "1");
    setCookie(c, "b", "2");
    return c.json({});
  },
};

const toWeb = (body: Readable) => Readable.toWeb(body) as ReadableStream;

function addRoutes(app: Hono<Bindings>, note: Setup["note"]): void {
  const upload = createUpload();
  app.get("/native/never", () => new Promise(() => {}));
  app.get("/native/:name", (c) => natives[c.req.param("name") as NativeName](c));
  app.get("/respond/:index", (c) => {
    Object.values(responses)[Number(c.req.param("index"))]!(c.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  app.get("/fail/:moment/:way/:error", async (c) => {
    const { moment, way, error } = c.req.param();
    const pass = (failed: unknown) => c.env.outgoing.destroy(failed as Error);
    const send = (body: Readable) => c.body(toWeb(body));
    const result = fail(failureOf(moment, way, error), { response: c.env.outgoing, pass, send, note });
    return ((await result) as Response | undefined) instanceof Response
      ? ((await result) as Response)
      : RESPONSE_ALREADY_SENT;
  });
  app.post("/echo", async (c) => c.json((await readJson(c.env.incoming)) as object, 201));
  app.post("/upload", async (c) => {
    await runLibrary(upload, c.env.incoming, c.env.outgoing);
    return c.json(describeUpload(c.env.incoming));
  });
  app.get("/download/pipe", (c) => {
    endlessSource().pipe(c.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  app.get("/download/pipeline", (c) => {
    pipeline(endlessSource(), c.env.outgoing, (error) => note(`pipeline ${describeError(error)}`));
    return RESPONSE_ALREADY_SENT;
  });
  app.get("/download/body", (c) => c.body(toWeb(endlessSource())));
}

function create({ isFull, note }: Setup): Application {
  const app = new Hono<Bindings>();
  const libraries = createLibraries();
  if (isFull) {
    app.use(async (c, next) => {
      await runLibrary(libraries, c.env.incoming, c.env.outgoing);
      await next();
    });
    app.onError((error, c) => {
      note(`handled ${describeError(error)}`);
      const { status, body } = describeFailure(error);
      return c.json(body, status as 500);
    });
  }
  app.get("/ok", (c) => c.text("ok"));
  app.use(async (c, next) => {
    watch(c.env.outgoing, note);
    await next();
  });
  addRoutes(app, note);
  return onServer(app, createAdaptorServer({ fetch: app.fetch }) as Server);
}

export const honoKind: ComparedKind = { create, needsServer: true, observesServer: true };
