/** The filter of the guide, as it is printed there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import {
  Controller,
  Get,
  HttpException,
  type INestApplication,
  Module,
  Post,
  Res,
  type Type,
} from "@nestjs/common";
import { APP_FILTER, NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import ts from "typescript-6";
import type { App } from "../../../src/index.ts";
import { type Cleanup, share } from "../../../src/lib/testing/share.ts";
import { createAnnex } from "../hosts/attached.ts";
import { portOf } from "../hosts/host.ts";
import { decorate } from "../hosts/nest.ts";

/** The class of the guide. Node does not run decorators, so it is compiled. */
function createFilter(annex: App): Type {
  const guide = readFileSync(new URL("../../../docs/attach.md", import.meta.url), "utf8");
  const [, source] = /```ts\n((?:(?!```)[\s\S])*class ReportErrors[\s\S]*?)```/.exec(guide)!;
  const { outputText } = ts.transpileModule(source!, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const run = new Function("require", "exports", "annex", `${outputText}\nreturn ReportErrors;`);
  return run(createRequire(import.meta.url), {}, annex) as Type;
}

/** An error of the package `http-errors`, which Express, its body parsers and its static files use. */
function createHttpError(message: string, status: number): Error {
  return Object.assign(new Error(message), { status, statusCode: status, expose: true });
}

class FailingController {
  fail() {
    throw new Error("failed");
  }
  refuse() {
    throw new HttpException("refused", 409);
  }
  overload() {
    throw new HttpException("overloaded", 503);
  }
  /** NestJS ignores a status without a status code. */
  mislead() {
    throw Object.assign(new Error("misleading"), { status: 404 });
  }
  send(response: { sendFile?(path: string, options: object): void; send(body: string): void }) {
    if (response.sendFile) response.sendFile("none.png", { root: import.meta.dirname });
    else throw createHttpError("ENOENT", 404);
  }
  read() {
    return {};
  }
  /** As middleware of Express that a handler calls. */
  validate() {
    throw createHttpError("invalid", 422);
  }
}
decorate(FailingController, "validate", Get("validate"));
decorate(FailingController, "fail", Get("fail"));
decorate(FailingController, "refuse", Get("refuse"));
decorate(FailingController, "overload", Get("overload"));
decorate(FailingController, "mislead", Get("mislead"));
decorate(FailingController, "send", Get("none.png"));
Res()(FailingController.prototype, "send", 0);
decorate(FailingController, "read", Post("body"));
Controller()(FailingController);

async function start(t: Cleanup, createAdapter: () => ExpressAdapter | FastifyAdapter) {
  const { annex, records } = createAnnex(t);
  class FailingModule {}
  const providers = [{ provide: APP_FILTER, useClass: createFilter(annex) }];
  Module({ controllers: [FailingController], providers })(FailingModule);
  const app: INestApplication = await NestFactory.create(FailingModule, createAdapter() as never, {
    logger: false,
    forceCloseConnections: true,
  });
  t.after(() => app.close());
  await annex.attach(app);
  await app.listen(0, "127.0.0.1");
  return { records, url: `http://127.0.0.1:${portOf(app.getHttpServer() as Server)}` };
}

const tooLarge: RequestInit = {
  method: "POST",
  body: JSON.stringify("x".repeat(2_000_000)),
  headers: { "content-type": "application/json" },
};

const cases: { path: string; init?: RequestInit; status: number; recorded: boolean }[] = [
  { path: "/body", init: tooLarge, status: 413, recorded: false },
  { path: "/body", init: { ...tooLarge, body: "{" }, status: 400, recorded: false },
  { path: "/none.png", status: 404, recorded: false },
  { path: "/unknown", status: 404, recorded: false },
  { path: "/refuse", status: 409, recorded: false },
  { path: "/validate", status: 422, recorded: false },
  { path: "/overload", status: 503, recorded: true },
  { path: "/mislead", status: 500, recorded: true },
  { path: "/fail", status: 500, recorded: true },
];

for (const [name, createAdapter] of [
  ["Express", () => new ExpressAdapter()],
  ["Fastify", () => new FastifyAdapter()],
] as const) {
  describe(`the filter of the guide, on NestJS with ${name}`, () => {
    const sides = share((t) => start(t, createAdapter));

    for (const { path, init, status, recorded } of cases) {
      it(`${recorded ? "records" : "does not record"} the error of ${path} with status ${status}`, async () => {
        const { url, records } = await sides();
        const response = await fetch(url + path, init);
        await response.text();
        assert.equal(response.status, status);
        const { traceId } = await records.trace(response.headers.get("x-trace-id"));
        const errors = records.errors.filter((each) => each.traceId === traceId);
        assert.equal(errors.length, recorded ? 1 : 0);
      });
    }
  });
}
