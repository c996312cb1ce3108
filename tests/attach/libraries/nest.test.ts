/** Annex on NestJS applications as they are usually set up and tested. */
import assert from "node:assert/strict";
import type { Server } from "node:http";
import { describe, it, type TestContext } from "node:test";
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  type INestApplication,
  Module,
  Param,
  VersioningType,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ClientProxyFactory, MessagePattern, Payload, Transport } from "@nestjs/microservices";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import supertest from "supertest";
import type { App } from "../../../src/index.ts";
import { type Cleanup, share } from "../../../src/lib/testing/share.ts";
import { settles } from "../../../src/lib/testing/until.ts";
import { createAnnex } from "../hosts/attached.ts";
import { portOf } from "../hosts/host.ts";
import { decorate } from "../hosts/nest.ts";

class ItemsController {
  find(params: object) {
    return params;
  }
  fail() {
    throw new Error("failed");
  }
  refuse() {
    throw new HttpException("refused", 409);
  }
  sum(numbers: number[]) {
    return numbers.reduce((total, each) => total + each, 0);
  }
}
decorate(ItemsController, "find", Get(":id"));
Param()(ItemsController.prototype, "find", 0);
decorate(ItemsController, "fail", Get(":id/fail"));
decorate(ItemsController, "refuse", Get(":id/refuse"));
decorate(ItemsController, "sum", MessagePattern("sum"));
Payload()(ItemsController.prototype, "sum", 0);
Controller({ path: "items", version: "2" })(ItemsController);

class ItemsModule {}
Module({ controllers: [ItemsController] })(ItemsModule);

/** A filter that responds by itself, and reports errors of the server to Annex. */
class ReportingFilter implements ExceptionFilter {
  readonly annex: App;
  constructor(annex: App) {
    this.annex = annex;
  }
  catch(error: unknown, host: ArgumentsHost) {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    const http = host.switchToHttp();
    if (status >= 500) this.annex.reportError(error, http.getRequest());
    const response = http.getResponse();
    response.status(status);
    response.send({ filtered: (error as Error).message });
  }
}
Catch()(ReportingFilter);

/** With a global prefix, versions in the path and a filter. It is not initialized yet. */
async function create(t: Cleanup, createAdapter: () => ExpressAdapter | FastifyAdapter) {
  const app: INestApplication = await NestFactory.create(ItemsModule, createAdapter() as never, {
    logger: false,
    forceCloseConnections: true,
  });
  const { annex, records } = createAnnex(t);
  t.after(() => app.close());
  app.setGlobalPrefix("shop");
  app.enableVersioning({ type: VersioningType.URI });
  app.useGlobalFilters(new ReportingFilter(annex));
  return { app, annex, records, server: app.getHttpServer() as Server };
}

for (const [name, createAdapter] of [
  ["Express", () => new ExpressAdapter()],
  ["Fastify", () => new FastifyAdapter()],
] as const) {
  for (const when of ["before", "after"]) {
    describe(`Annex on NestJS with ${name}, attached ${when} listen()`, () => {
      const sides = share(async (t) => {
        const { app, annex, records, server } = await create(t, createAdapter);
        app.connectMicroservice({ transport: Transport.TCP, options: { host: "127.0.0.1", port: 0 } });
        const listen = async () => {
          await app.startAllMicroservices();
          await app.listen(0, "127.0.0.1");
        };
        if (when === "after") await listen();
        await annex.attach(app);
        if (when === "before") await listen();
        return { app, records, url: `http://127.0.0.1:${portOf(server)}` };
      });

      async function request(path: string) {
        const { url, records } = await sides();
        const response = await fetch(url + path);
        const body = await response.text();
        const record = await records.trace(response.headers.get("x-trace-id"));
        const errors = records.errors.filter(({ traceId }) => traceId === record.traceId);
        return {
          body,
          record,
          errors: errors.map(({ error, route }) => [(error as Error).message, route]),
        };
      }

      it("knows patterns with the global prefix and the version", async () => {
        const { body, record } = await request("/shop/v2/items/7");
        assert.deepEqual([body, record.route], ['{"id":"7"}', "/shop/v2/items/{id}"]);
        const { url } = await sides();
        assert.equal((await fetch(`${url}/api/health`)).status, 200);
      });

      it("records the error that a filter reports, once", async () => {
        const failed = await request("/shop/v2/items/7/fail");
        assert.equal(failed.body, '{"filtered":"failed"}');
        assert.deepEqual(failed.errors, [["failed", "/shop/v2/items/{id}/fail"]]);
        const refused = await request("/shop/v2/items/7/refuse");
        assert.deepEqual([refused.record.status, refused.errors], [409, []]);
      });

      it("leaves the microservice of the application alone", async (t: TestContext) => {
        const { app } = await sides();
        const [microservice] = app.getMicroservices();
        const { port } = microservice!.unwrap<{ address(): { port: number } }>().address();
        const client = ClientProxyFactory.create({
          transport: Transport.TCP,
          options: { host: "127.0.0.1", port },
        });
        t.after(() => client.close());
        const sum = new Promise((resolve, reject) => {
          client.send("sum", [1, 2, 3]).subscribe({ next: resolve, error: reject });
        });
        assert.equal(await settles("the microservice responds", sum), 6);
      });
    });
  }

  it(`Annex on NestJS with ${name} works with supertest, which opens and closes the server`, async (t) => {
    const { app, annex, records, server } = await create(t, createAdapter);
    await annex.attach(app);
    await app.init();
    if (name === "Fastify") await app.getHttpAdapter().getInstance().ready();
    for (const id of ["1", "2"]) {
      const response = await supertest(server).get(`/shop/v2/items/${id}`).expect(200);
      assert.equal((await records.trace(response.headers["x-trace-id"]!)).route, "/shop/v2/items/{id}");
      await supertest(server).get("/api/health").expect(200);
    }
  });
}
