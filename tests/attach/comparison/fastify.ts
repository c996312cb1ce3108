import { pipeline, Readable } from "node:stream";
import { type FastifyReply, fastify as fastify5 } from "fastify";
import { fastify as fastify4 } from "fastify-4";
import { chunks } from "../hosts/host.ts";
import {
  type Application,
  type ComparedKind,
  describeFailure,
  endlessSource,
  type Setup,
  watch,
} from "./application.ts";
import { describeError, fail } from "./failures.ts";
import { createLibraries, createUpload, describeUpload, runLibrary } from "./libraries.ts";
import { responses } from "./responses.ts";
import { failureOf, type NativeName } from "./scenarios.ts";

type Fastify = typeof fastify5;

const natives: Record<NativeName, (reply: FastifyReply) => unknown> = {
  json: () => Promise.resolve({ hello: "world" }),
  text: (reply) => reply.type("text/plain").send("hello"),
  buffer: (reply) => reply.send(Buffer.from("hello")),
  empty: (reply) => reply.code(204).send(),
  stream: (reply) => reply.send(Readable.from(chunks(), { objectMode: false })),
  html: (reply) => reply.code(202).type("text/html").send("<p>hello</p>"),
  redirect: (reply) => reply.redirect("/elsewhere"),
  missing: (reply) => reply.callNotFound(),
  cookie: (reply) => reply.header("set-cookie", ["a=1", "b=2"]).send({}),
};

function create(fastify: Fastify) {
  return ({ isFull, note }: Setup): Application => {
    const app = fastify({ forceCloseConnections: true });
    const libraries = createLibraries();
    const upload = createUpload();
    app.addHook("onRequest", (request, reply, done) => {
      if (request.url !== "/ok") watch(reply.raw, note);
      if (isFull) libraries(request.raw, reply.raw, done as (error?: unknown) => void);
      else done();
    });
    app.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null));
    app.get("/ok", () => Promise.resolve("ok"));
    app.get("/native/never", () => new Promise(() => {}));
    app.get("/native/:name", (request, reply) =>
      natives[(request.params as { name: NativeName }).name](reply),
    );
    app.get("/respond/:index", (request, reply) => {
      reply.hijack();
      Object.values(responses)[Number((request.params as { index: string }).index)]!(reply.raw);
    });
    app.get("/fail/:moment/:way/:error", (request, reply) => {
      const { moment, way, error } = request.params as { moment: string; way: string; error: string };
      return fail(failureOf(moment, way, error), {
        response: reply.raw,
        pass: (failed) => reply.send(failed),
        send: (body) => reply.send(body),
        note,
      });
    });
    app.post("/echo", { bodyLimit: 100 }, (request, reply) => reply.code(201).send(request.body ?? null));
    app.post("/upload", async (request, reply) => {
      await runLibrary(upload, request.raw, reply.raw);
      return describeUpload(request.raw);
    });
    app.get("/download/pipe", (_request, reply) => {
      reply.hijack();
      endlessSource().pipe(reply.raw);
    });
    app.get("/download/pipeline", (_request, reply) => {
      reply.hijack();
      pipeline(endlessSource(), reply.raw, (error) => note(`pipeline ${describeError(error)}`));
    });
    app.get("/download/body", (_request, reply) => reply.send(endlessSource()));
    if (isFull) {
      app.setErrorHandler((error, _request, reply) => {
        note(`handled ${describeError(error)}`);
        const { status, body } = describeFailure(error);
        // Without a status, the response has that of the reply.
        return (status === 500 ? reply : reply.code(status)).send(body);
      });
    }
    const listen = () => app.listen({ port: 0, host: "127.0.0.1" });
    return { target: app, server: app.server, listen, close: () => app.close() };
  };
}

export const fastify5Kind: ComparedKind = { create: create(fastify5), observesServer: true };
export const fastify4Kind: ComparedKind = {
  create: create(fastify4 as unknown as Fastify),
  observesServer: true,
};
