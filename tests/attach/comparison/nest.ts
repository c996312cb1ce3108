import "reflect-metadata";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import {
  type ArgumentsHost,
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  type INestApplication,
  Module,
  Next,
  NotFoundException,
  Param,
  Post,
  Redirect,
  Req,
  Res,
  StreamableFile,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { chunks } from "../hosts/host.ts";
import { decorate } from "../hosts/nest.ts";
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

/** A response of Express, or a reply of Fastify. */
type AnyResponse = ServerResponse & { raw?: ServerResponse; hijack?(): void; send(body: unknown): unknown };
type AnyRequest = IncomingMessage & { raw?: IncomingMessage };

const readable = () => Readable.from(chunks(), { objectMode: false });

/** What the methods of the controller return, and how they are decorated. */
const natives: Record<NativeName, [MethodDecorator[], () => unknown]> = {
  json: [[], () => ({ hello: "world" })],
  text: [[Header("Content-Type", "text/plain")], () => "hello"],
  buffer: [[], () => new StreamableFile(Buffer.from("hello"))],
  empty: [[HttpCode(204)], () => undefined],
  stream: [[], () => new StreamableFile(readable(), { type: "text/plain" })],
  html: [[HttpCode(202)], () => "<p>hello</p>"],
  redirect: [[Redirect("/elsewhere")], () => undefined],
  missing: [
    [],
    () => {
      throw new NotFoundException("missing");
    },
  ],
  cookie: [[Header("Set-Cookie", "a=1")], () => ({})],
};

/** Node runs TypeScript without decorators, so they are called as functions. */
function createModule({ note }: Setup): new () => object {
  const upload = createUpload();
  class AppController {
    ok() {
      return "ok";
    }
    never() {
      return new Promise(() => {});
    }
    respond(index: string, response: AnyResponse) {
      response.hijack?.();
      Object.values(responses)[Number(index)]!(response.raw ?? response);
    }
    failWithBody({ moment, error }: Record<string, string>) {
      const send = (body: Readable) => new StreamableFile(body);
      return fail(failureOf(moment!, "6", error!), { send, note } as never);
    }
    fail(
      { moment, way, error }: Record<string, string>,
      response: AnyResponse,
      next: (error: unknown) => void,
    ) {
      const pass = (failed: unknown) => (response.raw ? response.send(failed) : next(failed));
      const raw = response.raw ?? response;
      return fail(failureOf(moment!, way!, error!), { response: raw, pass, note } as never);
    }
    echo(body: unknown) {
      return { body };
    }
    async upload(request: AnyRequest, response: AnyResponse) {
      const raw = request.raw ?? request;
      await runLibrary(upload, raw, response.raw ?? response);
      response.send(describeUpload(raw));
    }
    pipe(response: AnyResponse) {
      response.hijack?.();
      endlessSource().pipe(response.raw ?? response);
    }
    pipeline(response: AnyResponse, next: (error: unknown) => void) {
      response.hijack?.();
      pipeline(endlessSource(), response.raw ?? response, (error) => {
        note(`pipeline ${describeError(error)}`);
        if (!response.raw) next(error);
      });
    }
    body() {
      return new StreamableFile(endlessSource());
    }
  }
  const { prototype } = AppController;
  for (const [name, [decorators, respond]] of Object.entries(natives)) {
    const method = `native ${name}`;
    Object.defineProperty(prototype, method, { value: () => respond(), configurable: true, writable: true });
    for (const each of [Get(`native/${name}`), ...decorators]) decorate(AppController, method, each);
  }
  const routes: [keyof AppController, MethodDecorator, ParameterDecorator[]][] = [
    ["ok", Get("ok"), []],
    ["never", Get("native/never"), []],
    ["respond", Get("respond/:index"), [Param("index"), Res()]],
    ["failWithBody", Get("fail/:moment/6/:error"), [Param()]],
    ["fail", Get("fail/:moment/:way/:error"), [Param(), Res(), Next()]],
    ["echo", Post("echo"), [Body()]],
    ["upload", Post("upload"), [Req(), Res()]],
    ["pipe", Get("download/pipe"), [Res()]],
    ["pipeline", Get("download/pipeline"), [Res(), Next()]],
    ["body", Get("download/body"), []],
  ];
  for (const [name, decorator, parameters] of routes) {
    decorate(AppController, name, decorator);
    for (const [index, parameter] of parameters.entries()) parameter(prototype, name, index);
  }
  Controller()(AppController);
  class AppModule {}
  Module({ controllers: [AppController] })(AppModule);
  return AppModule;
}

/** A filter with responses of its own. */
function createFilter(note: Setup["note"]) {
  return {
    catch(error: unknown, host: ArgumentsHost) {
      note(`handled ${describeError(error)}`);
      const response = host.switchToHttp().getResponse();
      if ((response.raw ?? response).headersSent) return (response.raw ?? response).destroy();
      const { status, body } = describeFailure(error);
      response.status(status).send(body);
    },
  };
}

function create(createAdapter: () => ExpressAdapter | FastifyAdapter) {
  return async (setup: Setup): Promise<Application> => {
    const { isFull, note } = setup;
    const app: INestApplication = await NestFactory.create(createModule(setup), createAdapter() as never, {
      logger: false,
      forceCloseConnections: true,
    });
    if (isFull) app.use(createLibraries());
    app.use((request: AnyRequest, response: AnyResponse, next: () => void) => {
      if (request.url !== "/ok") watch(response, note);
      next();
    });
    if (isFull) app.useGlobalFilters(createFilter(note));
    return {
      target: app,
      server: app.getHttpServer() as Server,
      listen: () => app.listen(0, "127.0.0.1"),
      close: () => app.close(),
    };
  };
}

export const nestExpressKind: ComparedKind = {
  create: create(() => new ExpressAdapter()),
  observesServer: true,
};
export const nestFastifyKind: ComparedKind = {
  create: create(() => new FastifyAdapter()),
  observesServer: true,
};
