/** Tests of applications that Annex is attached to. supertest opens a server for each request, and closes it. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { it } from "node:test";
import express5 from "express";
import express4 from "express-4";
import Koa from "koa";
import supertest from "supertest";
import type { Cleanup } from "../../../src/lib/testing/share.ts";
import { createAnnex } from "../hosts/attached.ts";
import { closed } from "../hosts/host.ts";

type Express = typeof express5;

function createExpress(express: Express) {
  const app = express();
  app.get("/items/:id", (request, response) => void response.json(request.params));
  return { app, listener: app as RequestListener };
}

function createKoa() {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = { path: ctx.path };
  });
  return { app, listener: app.callback() };
}

for (const [name, create, route] of [
  ["Express 5", () => createExpress(express5), "/items/{id}"],
  ["Express 4", () => createExpress(express4 as unknown as Express), "/items/{id}"],
  ["Koa", createKoa, "(unknown route)"],
] as const) {
  async function start(t: Cleanup) {
    const { app, listener } = create();
    const { annex, records } = createAnnex(t);
    await annex.attach(app);
    const check = async (target: Parameters<typeof supertest>[0]) => {
      for (const id of ["1", "2"]) {
        const response = await supertest(target).get(`/items/${id}`).expect(200);
        assert.equal((await records.trace(response.headers["x-trace-id"]!)).route, route);
        await supertest(target).get("/api/health").expect(200);
      }
    };
    return { app, listener, check };
  }

  it(`supertest works with ${name} that does not listen`, async (t) => {
    const { listener, check } = await start(t);
    await check(listener);
  });

  it(`supertest works with ${name} that listens`, async (t) => {
    const { app, check } = await start(t);
    const server = app.listen(0);
    t.after(() => closed(server));
    await check(server);
  });
}
