import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import Router from "@koa/router";
import express from "express";
import express4 from "express-4";
import { fastify } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { until } from "../../src/lib/testing/until.ts";
import { createAnnex } from "./hosts/attached.ts";
import { closed, listening, portOf } from "./hosts/host.ts";

interface LateApplication {
  readonly target: object;
  readonly server?: ReturnType<typeof createAdaptorServer>;
  addRoute(): void;
  listen(): Promise<Server>;
}

const applications: Record<string, () => LateApplication> = {
  Express() {
    const app = express();
    return {
      target: app,
      addRoute: () => app.get("/api/health", (_request, response) => void response.send("own")),
      listen: async () => app.listen(0),
    };
  },
  Fastify() {
    const app = fastify();
    return {
      target: app,
      addRoute: () => app.get("/api/health", async () => "own"),
      listen: async () => {
        await app.listen({ port: 0 });
        return app.server;
      },
    };
  },
  Koa() {
    const app = new Koa();
    const router = new Router();
    router.get("/api/health", (ctx) => {
      ctx.body = "own";
    });
    return { target: app, addRoute: () => app.use(router.routes()), listen: async () => app.listen(0) };
  },
  Hono() {
    const app = new Hono();
    const server = createAdaptorServer({ fetch: app.fetch });
    return {
      target: app,
      server,
      addRoute: () => app.get("/api/health", (c) => c.text("own")),
      listen: async () => server.listen(0) as Server,
    };
  },
};

describe("routes that are added after attach", () => {
  for (const [name, create] of Object.entries(applications)) {
    it(`are compared with the paths of Annex when ${name} listens`, async (t) => {
      const { annex, dataDir } = createAnnex(t);
      const { target, server: given, addRoute, listen } = create();
      await annex.attach(target, given && { server: given });
      addRoute();
      const server = await listen();
      t.after(() => closed(server));
      const log = () => readFileSync(join(dataDir, "app.log"), "utf8");
      await until("the address is in the log", () => log().includes("Dashboard at"));
      await annex.detach();
      assert.equal(
        log().match(/The route GET \/api\/health of the application cannot be reached/g)?.length,
        1,
      );
    });
  }
});

for (const [name, framework] of [
  ["Express 5", express],
  ["Express 4", express4 as unknown as typeof express],
] as const) {
  it(`settings of ${name} that change after attach affect its routes`, async (t) => {
    const { annex } = createAnnex(t);
    const app = framework();
    await annex.attach(app);
    app.enable("case sensitive routing");
    app.get("/case", (_request, response) => void response.send("found"));
    const server = app.listen(0);
    t.after(() => closed(server));
    const url = `http://127.0.0.1:${portOf(await listening(server))}`;
    const statuses = await Promise.all(
      ["/case", "/CASE"].map(async (path) => (await fetch(url + path)).status),
    );
    assert.deepEqual(statuses, [200, 404]);
  });
}
