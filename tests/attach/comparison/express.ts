import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import express5, { type ErrorRequestHandler, type Response } from "express";
import express4 from "express-4";
import { chunks } from "../hosts/host.ts";
import {
  type Application,
  type ComparedKind,
  describeFailure,
  endlessSource,
  onServer,
  type Setup,
  watch,
} from "./application.ts";
import { describeError, fail } from "./failures.ts";
import { createLibraries, createUpload, describeUpload } from "./libraries.ts";
import { responses } from "./responses.ts";
import { failureOf, type NativeName } from "./scenarios.ts";

type Express = typeof express5;

const natives: Record<NativeName, (response: Response) => unknown> = {
  json: (response) => response.json({ hello: "world" }),
  text: (response) => response.type("text").send("hello"),
  buffer: (response) => response.send(Buffer.from("hello")),
  empty: (response) => response.sendStatus(204),
  stream: (response) => Readable.from(chunks()).pipe(response),
  html: (response) => response.status(202).send("<p>hello</p>"),
  redirect: (response) => response.redirect("/elsewhere"),
  missing: (response) => response.status(404).send("missing"),
  cookie: (response) => response.cookie("a", "1", { path: "/" }).vary("Accept").json({}),
};

function createExpressApp(express: Express, { isFull, note }: Setup) {
  const app = express();
  if (isFull) app.use(createLibraries() as express5.RequestHandler);
  app.get("/ok", (_request, response) => void response.send("ok"));
  app.use((_request, response, next) => {
    watch(response, note);
    next();
  });
  app.get("/native/never", () => {});
  app.get("/native/:name", (request, response) => void natives[request.params.name as NativeName](response));
  app.get("/respond/:index", (request, response) => {
    Object.values(responses)[Number(request.params.index)]!(response);
  });
  app.get("/fail/:moment/:way/:error", (request, response, next) => {
    const { moment, way, error } = request.params;
    return fail(failureOf(moment, way, error), {
      response,
      pass: next,
      send: (body) => body.on("error", next).pipe(response),
      note,
    }) as Promise<void>;
  });
  app.post("/echo", express.json({ limit: 100 }), (request, response) => {
    response.status(201).json(request.body ?? null);
  });
  app.post("/upload", createUpload() as express5.RequestHandler, (request, response) => {
    response.json(describeUpload(request));
  });
  app.get("/download/pipe", (_request, response) => void endlessSource().pipe(response));
  app.get(["/download/pipeline", "/download/body"], (_request, response, next) => {
    pipeline(endlessSource(), response, (error) => {
      note(`pipeline ${describeError(error)}`);
      if (error) next(error);
    });
  });
  const respond: ErrorRequestHandler = (error, _request, response, next) => {
    note(`handled ${describeError(error)}`);
    if (response.headersSent) return next(error);
    const { status, body } = describeFailure(error);
    response.status(status).json(body);
  };
  if (isFull) app.use(respond);
  return app;
}

function create(express: Express) {
  return (setup: Setup): Application => {
    const app = createExpressApp(express, setup);
    return onServer(app, createServer(app));
  };
}

function createForServer(setup: Setup): Application {
  const server = createServer(createExpressApp(express5, setup));
  return onServer(server, server);
}

/** To Express, `null` is no error: it looks for another handler, and finds none. */
const leavesOpen: ComparedKind["leavesOpen"] = ({ failure }) =>
  failure?.error === "null" &&
  (failure.moment === "after the headers" || failure.moment === "after the first byte") &&
  ["throw", "pass", "pass later"].includes(failure.way);

export const express5Kind: ComparedKind = { create: create(express5), leavesOpen };
export const express4Kind: ComparedKind = { create: create(express4 as unknown as Express), leavesOpen };
export const expressServerKind: ComparedKind = { create: createForServer, observesServer: true, leavesOpen };
