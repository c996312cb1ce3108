/** Several applications of Annex in one process, and attempts to attach that fail. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { describe, it, type TestContext } from "node:test";
import express from "express";
import Koa from "koa";
import { createAnnex, createSmallAnnex } from "../hosts/attached.ts";
import { expressKinds } from "../hosts/express.ts";
import { fastifyKinds } from "../hosts/fastify.ts";
import { honoKinds } from "../hosts/hono.ts";
import { closed, type HostKind, listening, portOf, SlowRequests } from "../hosts/host.ts";
import { koaKinds } from "../hosts/koa.ts";
import { nestKinds } from "../hosts/nest.ts";

const kinds = [expressKinds[0]!, fastifyKinds[0]!, koaKinds[0]!, nestKinds[0]!, honoKinds[0]!];

async function createHost(t: TestContext, kind: HostKind) {
  const host = await kind.create(new SlowRequests());
  t.after(() => host.close());
  return { host, options: host.server && { server: host.server } };
}

/** What Annex would change in an application, a server and the process. */
function stateOf(...objects: object[]) {
  return {
    objects: objects
      .map((object) => Object.getOwnPropertyDescriptors(object))
      .map(
        ({
          handle,
          handleRequest,
          listen,
          emit,
          close,
          errorHandler,
        }: Record<string, PropertyDescriptor>) => [handle, handleRequest, listen, emit, close, errorHandler],
      ),
    process: process.eventNames().map((name) => [name, process.listeners(name as "exit").length]),
    emit: process.emit,
  };
}

describe("a second Annex", () => {
  for (const kind of kinds) {
    it(`is refused by ${kind.name}, and the first one goes on`, async (t) => {
      const { host, options } = await createHost(t, kind);
      const { annex, records } = createSmallAnnex(t);
      const { annex: second } = createSmallAnnex(t);
      await annex.attach(host.target, options);
      const before = stateOf(host.target);
      await assert.rejects(second.attach(host.target, options), {
        code: "ATTACH_UNSUPPORTED",
        message: /Another Annex is attached to this application/,
      });
      assert.deepEqual(stateOf(host.target), before);
      const response = await fetch(`http://127.0.0.1:${portOf(await host.listen())}/json`);
      await response.text();
      assert.equal((await records.trace(response.headers.get("x-trace-id"))).status, 200);
      await annex.detach();
      const { annex: third } = createSmallAnnex(t);
      await third.attach(host.target, options);
    });
  }

  it("is refused by the server of an application that has one", async (t) => {
    const app = express();
    const server = createServer(app);
    const { annex } = createSmallAnnex(t);
    await annex.attach(app);
    const before = stateOf(app, server);
    await assert.rejects(createSmallAnnex(t).annex.attach(server), { code: "ATTACH_UNSUPPORTED" });
    assert.deepEqual(stateOf(app, server), before);
  });

  it("has its own application, beside one that is started", async (t) => {
    const { annex: started, records: ofStarted } = createSmallAnnex(t, { port: 0 });
    started.onServe(({ router }) => void router.get("/json", (e) => e.json(200, {})));
    const urls = [(await started.start()).url];
    const all = [ofStarted];
    for (const kind of [expressKinds[0]!, expressKinds[0]!, koaKinds[0]!]) {
      const { host } = await createHost(t, kind);
      const { annex, records } = createSmallAnnex(t);
      await annex.attach(host.target);
      urls.push(`http://127.0.0.1:${portOf(await host.listen())}`);
      all.push(records);
    }
    for (const [index, url] of urls.entries()) {
      const response = await fetch(`${url}/json`);
      await response.text();
      const trace = response.headers.get("x-trace-id");
      await all[index]!.trace(trace);
      const owners = all.filter(({ requests }) => requests.some(({ traceId }) => traceId === trace));
      assert.deepEqual(owners, [all[index]]);
    }
  });
});

describe("Annex on an Express application in another one", () => {
  async function mount(t: TestContext) {
    const { annex, records } = createAnnex(t, { basePath: "/inner" });
    const parent = express();
    const child = express();
    child.get("/json", (_request, response) => void response.json({ trace: annex.traceId() }));
    child.get("/throw", () => {
      throw new Error("thrown");
    });
    parent.set("env", "test");
    parent.get("/outside", (_request, response) => void response.send("outside"));
    parent.use("/inner", child);
    await annex.attach(child);
    const server = await listening(parent.listen(0));
    t.after(() => closed(server));
    return { records, url: `http://127.0.0.1:${portOf(server)}` };
  }

  it("records the path as the client sent it, and serves its own below it", async (t) => {
    const { records, url } = await mount(t);
    const response = await fetch(`${url}/inner/json`);
    const { trace } = (await response.json()) as { trace: string };
    assert.equal(trace, response.headers.get("x-trace-id"));
    assert.equal((await records.trace(trace)).path, "/inner/json");
    assert.equal((await fetch(`${url}/inner/api/health`)).status, 200);
    assert.equal((await fetch(`${url}/outside`)).headers.has("x-trace-id"), false);
    assert.equal((await fetch(`${url}/api/health`)).status, 404);
  });

  it("records an error that the outer one responds to", async (t) => {
    const { records, url } = await mount(t);
    const response = await fetch(`${url}/inner/throw`);
    assert.equal(response.status, 500);
    await response.text();
    await records.trace(response.headers.get("x-trace-id"));
    assert.deepEqual(
      records.errors.map(({ error }) => (error as Error).message),
      ["thrown"],
    );
  });
});

describe("attach", () => {
  for (const [name, create] of [
    ["Express", () => express()],
    ["Koa", () => new Koa()],
  ] as const) {
    it(`changes nothing in ${name} if the given server is not supported`, async (t) => {
      const app = create();
      const before = stateOf(app);
      const { annex } = createSmallAnnex(t);
      await assert.rejects(annex.attach(app, { server: createHttp2Server() }), {
        code: "ATTACH_UNSUPPORTED",
      });
      assert.deepEqual(stateOf(app), before);
    });
  }

  it("changes nothing if the data folder is in use", async (t) => {
    const { annex: first, dataDir } = createSmallAnnex(t, { port: 0 });
    await first.start();
    const app = express();
    const { annex } = createSmallAnnex(t, { dataDir });
    const before = stateOf(app);
    await assert.rejects(annex.attach(app), { name: "StartError" });
    assert.deepEqual(stateOf(app), before);
  });

  it("can be stopped at any time", async (t) => {
    const app = express();
    const { annex } = createSmallAnnex(t, { signals: true });
    const before = stateOf(app);
    const attached = annex.attach(app);
    await annex.stop();
    await attached;
    assert.deepEqual(stateOf(app), before);
  });

  it("leaves requests to the application after detach, even if its function was wrapped", async (t) => {
    const app = express().get("/json", (_request, response) => void response.json({}));
    const koa = new Koa().use((ctx) => {
      ctx.body = {};
    });
    for (const [target, name, listener] of [
      [app, "handle", app],
      [koa, "handleRequest", koa.callback()],
    ] as const) {
      const { annex, records } = createSmallAnnex(t);
      await annex.attach(target);
      const object = target as unknown as Record<string, (...args: unknown[]) => unknown>;
      const hooked = object[name]!;
      object[name] = (...args) => Reflect.apply(hooked, target, args);
      await annex.detach();
      const server = await listening(createServer(listener).listen(0));
      t.after(() => closed(server));
      const response = await fetch(`http://127.0.0.1:${portOf(server)}/json`);
      assert.deepEqual([response.status, response.headers.get("x-trace-id")], [200, null]);
      await response.text();
      assert.deepEqual(records.requests, []);
    }
  });
});

describe("requests that do not come from a server of HTTP/1", () => {
  it("reach Koa on HTTP/2, for all paths", async (t) => {
    const app = new Koa();
    app.use((ctx) => {
      ctx.body = ctx.path;
    });
    const { annex } = createSmallAnnex(t);
    await annex.attach(app);
    const server = createHttp2Server(app.callback()).listen(0);
    await once(server, "listening");
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
    t.after(() => new Promise<void>((resolve) => client.close(() => server.close(() => resolve()))));
    for (const path of ["/json", "/_/_"]) {
      const stream = client.request({ ":path": path });
      let body = "";
      for await (const chunk of stream) body += chunk;
      assert.equal(body, path);
    }
  });

  it("reach Express and servers from tests, with objects of their own", async (t) => {
    const app = express();
    app.get("/json", (_request, response) => void response.end("done"));
    const server = createServer(app);
    const { annex } = createSmallAnnex(t);
    await annex.attach(server);
    for (const pass of [
      (request: object, response: object) => app(request as never, response as never),
      (request: object, response: object) => server.emit("request", request as never, response as never),
    ]) {
      const ended: unknown[] = [];
      const response = { setHeader() {}, end: (body: unknown) => ended.push(body) };
      pass({ method: "GET", url: "/json", headers: {} }, response as unknown as ServerResponse);
      assert.deepEqual(ended, ["done"]);
    }
  });
});
