import "reflect-metadata";
import type { Server } from "node:http";
import { Readable } from "node:stream";
import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Module,
  Param,
  Post,
  Res,
  StreamableFile,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { chunks, type Host, type HostKind, type SlowRequests } from "./host.ts";

/** The raw response, of Express or inside that of Fastify. */
type AnyResponse = import("node:http").ServerResponse & {
  raw?: import("node:http").ServerResponse;
  hijack?(): void;
};

/** Node runs TypeScript without decorators, so they are called as functions. */
function createModule(slow: SlowRequests): new () => object {
  class AppController {
    json() {
      return { hello: "world" };
    }
    echo(body: unknown) {
      return body;
    }
    fail() {
      throw new Error("thrown", { cause: new Error("The store is closed") });
    }
    reject() {
      return Promise.reject(new Error("rejected"));
    }
    stream() {
      return new StreamableFile(Readable.from(chunks(), { objectMode: false }), { type: "text/plain" });
    }
    raw(response: AnyResponse) {
      response.hijack?.();
      const raw = response.raw ?? response;
      raw.writeHead(202, { "Content-Type": "text/plain", "X-Own": "1" });
      raw.end("raw");
    }
    async slow() {
      await slow.wait();
      return "done";
    }
  }
  class UsersController {
    find(params: object) {
      return params;
    }
  }
  class AppModule {}
  decorate(AppController, "json", Get("json"));
  decorate(AppController, "echo", Post("echo"));
  Body()(AppController.prototype, "echo", 0);
  decorate(AppController, "fail", Get("throw"));
  decorate(AppController, "reject", Get("reject"));
  decorate(AppController, "stream", Get("stream"));
  decorate(AppController, "raw", Get("raw"));
  Res()(AppController.prototype, "raw", 0);
  decorate(AppController, "slow", Get("slow"));
  Controller()(AppController);
  decorate(UsersController, "find", Get(":user"));
  Param()(UsersController.prototype, "find", 0);
  Controller("orgs/:org/users")(UsersController);
  Module({ controllers: [AppController, UsersController] })(AppModule);
  return AppModule;
}

export function decorate(target: { prototype: object }, name: string, decorator: MethodDecorator): void {
  decorator(target.prototype, name, Object.getOwnPropertyDescriptor(target.prototype, name)!);
}

function createNest(createAdapter: () => ExpressAdapter | FastifyAdapter) {
  return async (slow: SlowRequests): Promise<Host> => {
    const app: INestApplication = await NestFactory.create(createModule(slow), createAdapter() as never, {
      logger: false,
      forceCloseConnections: true,
    });
    return {
      target: app,
      async listen() {
        await app.listen(0, "127.0.0.1");
        return app.getHttpServer() as Server;
      },
      close: () => app.close(),
    };
  };
}

const common = { framework: "NestJS", knowsRoutes: true };

export const nestKinds: HostKind[] = [
  {
    ...common,
    name: "NestJS on Express",
    knowsErrors: false,
    create: createNest(() => new ExpressAdapter()),
  },
  {
    ...common,
    name: "NestJS on Fastify",
    knowsErrors: false,
    create: createNest(() => new FastifyAdapter()),
  },
];
