/** The servers that Annex can be attached to, and when. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, request, type Server } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer, request as sendRequest } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import Router from "@koa/router";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { testCertificate, testKey } from "../../../src/http/testing/certificates.ts";
import { until } from "../../../src/lib/testing/until.ts";
import { createAnnex } from "../hosts/attached.ts";
import { expressKinds } from "../hosts/express.ts";
import { closed, listening, portOf, SlowRequests } from "../hosts/host.ts";
import { koaKinds } from "../hosts/koa.ts";
import { nodeKinds } from "../hosts/node.ts";

for (const kind of [...expressKinds, ...koaKinds, ...nodeKinds]) {
  it(`Annex can be attached to ${kind.name} that listens already`, async (t) => {
    const host = await kind.create(new SlowRequests());
    const { annex, records } = createAnnex(t);
    t.after(() => host.close());
    const url = `http://127.0.0.1:${portOf(await host.listen())}`;
    const before = await fetch(`${url}/json`);
    assert.deepEqual([before.status, before.headers.get("x-trace-id")], [200, null]);
    await annex.attach(host.target);
    // The first request after it is for Annex.
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
    const after = await fetch(`${url}/orgs/1/users/2`);
    const record = await records.trace(after.headers.get("x-trace-id"));
    assert.equal(record.route, kind.knowsRoutes ? "/orgs/{org}/users/{user}" : "(unknown route)");
  });
}

describe("Annex on an HTTPS server", () => {
  for (const by of ["server", "application"])
    it(`serves its paths and observes requests, attached to the ${by}`, async (t) => {
      const app = express();
      app.get("/secure", (request, response) => void response.json({ secure: request.secure }));
      const server = createServer({ cert: testCertificate, key: testKey }, app);
      const { annex, records, dataDir } = createAnnex(t);
      annex.onServe(({ router }) => void router.upgrade("/annex", () => {}));
      t.after(() => closed(server as unknown as Server));
      await annex.attach(by === "server" ? server : app);
      const port = portOf(await listening(server.listen(0) as unknown as Server));
      const get = async (path: string, headers: Record<string, string> = {}) => {
        const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
        sendRequest({ host: "127.0.0.1", port, path, headers, ca: testCertificate }, resolve)
          .on("error", reject)
          .end();
        const response = await promise;
        return { status: response.statusCode, headers: response.headers, body: await text(response) };
      };
      const { body, headers } = await get("/secure");
      assert.deepEqual(JSON.parse(body), { secure: true });
      assert.equal((await records.trace(headers["x-trace-id"] as string)).route, "/secure");
      assert.equal((await get("/api/health")).status, 200);
      // Nobody accepts this one, so it is a normal request.
      const upgrade = await get("/secure", { connection: "Upgrade", upgrade: "websocket" });
      assert.deepEqual(JSON.parse(upgrade.body), { secure: true });
      await until(
        "the log names the address",
        () => readFileSync(join(dataDir, "app.log"), "utf8"),
        (log) => log.includes(`Dashboard at https://localhost:${port}/_/_`),
      );
    });
});

describe("Annex with a base path", () => {
  it("leaves all other paths to the application", async (t) => {
    const app = express();
    app.get("/api/health", (_request, response) => void response.json({ own: true }));
    const { annex, records, dataDir } = createAnnex(t, { basePath: "/internal" });
    await annex.attach(app);
    const server = app.listen(0);
    t.after(() => closed(server));
    const url = `http://127.0.0.1:${portOf(await listening(server))}`;
    const own = await fetch(`${url}/api/health`);
    assert.deepEqual(await own.json(), { own: true });
    const health = await fetch(`${url}/internal/api/health`);
    assert.equal(((await health.json()) as { status: string }).status, "healthy");
    const page = await fetch(`${url}/internal/_/_`, { headers: { accept: "text/html" } });
    assert.match(await page.text(), /\/internal\/_/);
    assert.equal((await fetch(`${url}/_/_`)).status, 404);
    await records.request("/_/_");
    await annex.detach();
    assert.doesNotMatch(readFileSync(join(dataDir, "app.log"), "utf8"), /cannot be reached/);
  });
});

/** Applications with routes that Annex has too, two of them with the same path. */
const conflicting: Record<string, () => Promise<{ target: object; server?: Server }>> = {
  async Express() {
    const app = express();
    const api = express.Router();
    api.get("/health", (_request, response) => void response.send("own"));
    app.use("/api", api);
    app.get("/_/page", (_request, response) => void response.send("own"));
    app.get("/free", (_request, response) => void response.send("own"));
    return { target: app };
  },
  async Fastify() {
    const app = fastify();
    await app.register(
      async (api) => {
        api.get("/health", async () => "own");
      },
      { prefix: "/api" },
    );
    app.get("/_/page", async () => "own");
    app.get("/free", async () => "own");
    return { target: app };
  },
  async Koa() {
    const app = new Koa();
    const router = new Router();
    for (const path of ["/api/health", "/_/page", "/free"])
      router.get(path, (ctx) => {
        ctx.body = "own";
      });
    app.use(router.routes());
    return { target: app };
  },
  async Hono() {
    const app = new Hono();
    for (const path of ["/api/health", "/_/page", "/free"]) app.get(path, (c) => c.text("own"));
    return { target: app, server: createAdaptorServer(app) as Server };
  },
};

for (const [name, create] of Object.entries(conflicting)) {
  it(`routes of ${name} that cannot be reached are in the log, once`, async (t) => {
    const { target, server } = await create();
    const { annex, dataDir } = createAnnex(t);
    await annex.attach(target, server && { server });
    await annex.detach();
    const lines = readFileSync(join(dataDir, "app.log"), "utf8").split("\n");
    const warnings = lines.filter((line) => line.includes("cannot be reached"));
    assert.deepEqual(
      warnings.map((line) => /The route (\S+ \S+) of the application/.exec(line)?.[1]).toSorted(),
      ["GET /_/page", "GET /api/health"],
    );
  });
}

describe("Annex on a server of HTTP/2", () => {
  const message =
    "Annex cannot be attached to this server: only servers of node:http and node:https are supported. For HTTP/2, use a proxy in front of an HTTP/1.1 server.";

  for (const [name, create] of [
    ["node:http2", () => createSecureServer({ cert: testCertificate, key: testKey, allowHTTP1: true })],
    ["Fastify", () => fastify({ http2: true })],
    ["Hono", () => new Hono()],
  ] as const) {
    it(`is refused for ${name}, with a sentence`, async (t) => {
      const { annex } = createAnnex(t);
      const server = createSecureServer({ cert: testCertificate, key: testKey });
      const target = create();
      const attached = annex.attach(target, target instanceof Hono ? { server: server as never } : {});
      await assert.rejects(attached, { name: "StartError", code: "ATTACH_UNSUPPORTED", message });
    });
  }
});

it("requests at a Unix socket are observed", { skip: process.platform === "win32" }, async (t) => {
  const app = express();
  app.get("/local", (_request, response) => void response.json({ local: true }));
  const { annex, records, dataDir } = createAnnex(t);
  await annex.attach(app);
  const socketPath = join(dataDir, "app.sock");
  const server = app.listen(socketPath);
  t.after(() => closed(server));
  await listening(server);
  const get = async (path: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request({ socketPath, path }, resolve).on("error", reject).end();
    const response = await promise;
    await text(response);
    return response;
  };
  const { headers } = await get("/local");
  assert.equal((await records.trace(headers["x-trace-id"] as string)).route, "/local");
  assert.equal((await get("/api/health")).statusCode, 200);
});

it("a server with a function that calls Express is observed", async (t) => {
  const app = express();
  app.get("/items/:id", (request, response) => void response.json(request.params));
  const server = createHttpServer((request, response) => void app(request, response));
  const { annex, records } = createAnnex(t);
  t.after(() => closed(server));
  await annex.attach(server);
  const url = `http://127.0.0.1:${portOf(await listening(server.listen(0)))}`;
  const response = await fetch(`${url}/items/7`);
  const { route } = await records.trace(response.headers.get("x-trace-id"));
  assert.equal(route, "(unknown route)", "only attach(app) knows routes here");
});
