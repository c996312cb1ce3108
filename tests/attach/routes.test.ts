import assert from "node:assert/strict";
import type { Server } from "node:http";
import { describe, it } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import Router from "@koa/router";
import { fastify as fastify5 } from "fastify";
import { fastify as fastify4 } from "fastify-4";
import { Hono } from "hono";
import Koa from "koa";
import { type Cleanup, share } from "../../src/lib/testing/share.ts";
import { createSmallAnnex } from "./hosts/attached.ts";
import { closed, listening, portOf } from "./hosts/host.ts";

type Case = [path: string, pattern: string | undefined, status?: number, method?: string];

/** Requests each path, and compares the pattern of its route. */
function check(
  start: (t: Cleanup) => Promise<{ server: Server } & ReturnType<typeof createSmallAnnex>>,
  cases: Case[],
) {
  const shared = share(start);
  for (const [path, pattern, status = 200, method = "GET"] of cases) {
    it(`${method} ${path} is ${pattern ?? "none"}`, async () => {
      const { server, records } = await shared();
      const response = await fetch(`http://127.0.0.1:${portOf(server)}${path}`, { method });
      await response.text();
      const { route } = await records.trace(response.headers.get("x-trace-id"));
      assert.deepEqual([response.status, route], [status, pattern]);
    });
  }
}

for (const [name, fastify] of [
  ["Fastify 5", fastify5],
  ["Fastify 4", fastify4 as unknown as typeof fastify5],
] as const) {
  describe(`the routes of ${name}`, () => {
    check(
      async (t) => {
        const started = createSmallAnnex(t);
        const app = fastify();
        t.after(() => app.close());
        app.addHook("onRequest", async (request, reply) => {
          if (request.headers["x-refuse"] || request.url.startsWith("/refused"))
            return reply.code(401).send();
        });
        await started.annex.attach(app);
        app.get("/plain", async () => "ok");
        app.get("/numbers/:id(^\\d+$)", async () => "ok");
        app.get("/files/:name.txt", async () => "ok");
        app.get("/rest/*", async () => "ok");
        app.get("/refused/:id", async () => "ok");
        app.route({ method: ["GET", "PUT"], url: "/both/:id", handler: async () => "ok" });
        app.get(
          "/invalid/:id",
          { schema: { params: { type: "object", properties: { id: { type: "integer" } } } } },
          async () => "ok",
        );
        app.get("/fails/:id", async () => {
          throw new Error("failed");
        });
        app.register(
          async (outer) => {
            outer.addHook("preHandler", async (request, reply) => {
              if (request.url.endsWith("/forbidden")) return reply.code(403).send();
            });
            outer.register(async (inner) => void inner.get("/:inner", async () => "ok"), {
              prefix: "/inner",
            });
            outer.get("/", async () => "ok");
          },
          { prefix: "/outer/:outer" },
        );
        await app.listen({ port: 0, host: "127.0.0.1" });
        return { ...started, server: app.server };
      },
      [
        ["/plain", "/plain"],
        ["/numbers/12", "/numbers/{id}"],
        ["/numbers/x", undefined, 404],
        ["/files/a.txt", "/files/{name}.txt"],
        ["/rest/a/b", "/rest/{rest...}"],
        ["/refused/1", "/refused/{id}", 401],
        ["/both/1", "/both/{id}", 200, "PUT"],
        ["/invalid/x", "/invalid/{id}", 400],
        ["/fails/1", "/fails/{id}", 500],
        ["/outer/1/inner/2", "/outer/{outer}/inner/{inner}"],
        ["/outer/1/inner/forbidden", "/outer/{outer}/inner/{inner}", 403],
        ["/outer/1", "/outer/{outer}"],
        ["/nothing", undefined, 404],
      ],
    );
  });
}

describe("the routes of Koa", () => {
  check(
    async (t) => {
      const started = createSmallAnnex(t);
      const app = new Koa();
      app.silent = true;
      const ok = (ctx: Koa.Context) => {
        ctx.body = "ok";
      };
      const inner = new Router({ prefix: "/inner/:inner" });
      inner.get("/", ok).get("/leaf", ok);
      const router = new Router();
      router
        .get("/plain", ok)
        .get(["/first/:id", "/second/:id"], ok)
        .get(/^\/number-(\d+)$/, ok)
        .get("/guarded/:id", (ctx) => ctx.throw(403))
        .use("/outer/:outer", inner.routes());
      app.use(router.routes()).use(router.allowedMethods());
      await started.annex.attach(app);
      const server = await listening(app.listen(0));
      t.after(() => closed(server));
      return { ...started, server };
    },
    [
      ["/plain", "/plain"],
      ["/first/1", "/first/{id}"],
      ["/second/1", "/second/{id}"],
      ["/number-1", "/number-{0}"],
      ["/guarded/1", "/guarded/{id}", 403],
      ["/outer/1/inner/2", "/outer/{outer}/inner/{inner}"],
      ["/outer/1/inner/2/leaf", "/outer/{outer}/inner/{inner}/leaf"],
      ["/plain", "(unknown route)", 405, "PUT"],
      ["/nothing", undefined, 404],
    ],
  );
});

describe("the routes of Hono", () => {
  check(
    async (t) => {
      const started = createSmallAnnex(t);
      const app = new Hono();
      app.use("*", async (_c, next) => next());
      app.use("/guarded/*", async (c) => c.text("no", 403));
      app.get("/plain", (c) => c.text("ok"));
      app.get("/numbers/:id{[0-9]{1,3}}", (c) => c.text("ok"));
      app.get("/optional/:id?", (c) => c.text("ok"));
      app.get("/guarded/:id", (c) => c.text("ok"));
      app.all("/everything/:id", (c) => c.text("ok"));
      app.get("/fails/:id", () => {
        throw new Error("failed");
      });
      const inner = new Hono().get("/:inner", (c) => c.text("ok"));
      app.route("/outer/:outer", inner);
      app.mount("/mounted", () => new Response("ok"));
      app.get("/rest/*", (c) => c.text("ok"));
      app.onError((_error, c) => c.text("failed", 500));
      const server = createAdaptorServer({ fetch: app.fetch }) as Server;
      await started.annex.attach(app, { server });
      await listening(server.listen(0));
      t.after(() => closed(server));
      return { ...started, server };
    },
    [
      ["/plain", "/plain"],
      ["/numbers/12", "/numbers/{id}"],
      ["/numbers/x", undefined, 404],
      ["/optional", "/optional/{id}"],
      ["/optional/1", "/optional/{id}"],
      ["/guarded/1", "/guarded/{id}", 403],
      ["/everything/1", "/everything/{id}", 200, "PATCH"],
      ["/fails/1", "/fails/{id}", 500],
      ["/outer/1/2", "/outer/{outer}/{inner}"],
      ["/rest/a/b", "/rest/{rest...}"],
      ["/nothing", undefined, 404],
    ],
  );
});
