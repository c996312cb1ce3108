import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Server as NetServer } from "node:net";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import type { App } from "../../src/index.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createAnnex, createSmallAnnex, type RecordedError } from "./hosts/attached.ts";
import { closed, listening, portOf } from "./hosts/host.ts";

class Unavailable extends Error {
  readonly status = 503;
}
class Missing extends Error {
  readonly status = 404;
}

/** Attaches Annex, and returns what it recorded about the errors of requests. */
async function start(t: TestContext, create: (annex: App) => { target: object; server?: NetServer }) {
  const { annex, records } = createSmallAnnex(t);
  const { target, server: own } = create(annex);
  await annex.attach(target, own && { server: own });
  const server = (own ?? (target as Server)).listen(0) as Server;
  t.after(() => closed(server));
  const url = `http://127.0.0.1:${portOf(await listening(server))}`;
  return async (path: string) => {
    const response = await fetch(url + path);
    await response.text();
    const { traceId } = await records.trace(response.headers.get("x-trace-id"));
    const errors = records.errors.filter((each) => each.traceId === traceId);
    return [response.status, ...errors.map(({ error, route }) => [(error as Error).message, route])];
  };
}

describe("errors that the application handles", () => {
  it("reach Annex through its error handler for Express if the response is an error of the server", async (t) => {
    const request = await start(t, (annex) => {
      const app = express();
      const items = express.Router();
      items.get("/:item", () => {
        throw new Missing("no such item");
      });
      items.get("/:item/price", () => {
        throw new Unavailable("no prices");
      });
      app.use("/items", items);
      app.use(annex.errorHandler);
      app.use(((error, _request, response, _next) => {
        response.status((error as Missing).status).json({ message: error.message });
      }) as express.ErrorRequestHandler);
      return { target: app };
    });
    assert.deepEqual(await request("/items/1"), [404]);
    assert.deepEqual(await request("/items/1/price"), [503, ["no prices", "/items/{item}/price"]]);
  });

  it("reach Annex through reportError with their route, while the request is handled", async (t) => {
    const request = await start(t, (annex) => {
      const app = express();
      app.get("/items/:item", (request, response) => {
        annex.reportError(new Error("given"), request);
        response.json({});
      });
      app.get("/current/:item", async (_request, response) => {
        await new Promise(setImmediate);
        annex.reportError(new Error("current"));
        response.json({});
      });
      return { target: app };
    });
    assert.deepEqual(await request("/items/1"), [200, ["given", "/items/{item}"]]);
    assert.deepEqual(await request("/current/1"), [200, ["current", "/current/{item}"]]);
  });

  describe("with a 4xx status reach Annex through reportError", () => {
    const addReporting = (app: express.Express, annex: App) => {
      app.get("/:status/:when", (request, response) => {
        const { status, when } = request.params;
        const report = (message: string) => annex.reportError(new Missing(message), request);
        if (when === "twice") report("first");
        if (when !== "after") report("last");
        response.sendStatus(Number(status));
        if (when === "after") report("last");
      });
    };

    for (const when of ["before", "after", "twice"])
      it(`as errors if the response is one of the server, and as warnings otherwise: ${when}`, async (t) => {
        const { annex, records } = createSmallAnnex(t);
        const app = express();
        addReporting(app, annex);
        await annex.attach(app);
        const server = app.listen(0);
        t.after(() => closed(server));
        const url = `http://127.0.0.1:${portOf(await listening(server))}`;
        for (const status of [200, 404, 500]) {
          const response = await fetch(`${url}/${status}/${when}`);
          await response.text();
          const { traceId } = await records.trace(response.headers.get("x-trace-id"));
          const found = (list: readonly RecordedError[]) =>
            list
              .filter((each) => each.traceId === traceId)
              .map(({ error, route }) => [(error as Error).message, route]);
          const route = "/{status}/{when}";
          const last = [["last", route]];
          const first = when === "twice" ? [["first", route]] : [];
          assert.deepEqual(found(records.errors), status === 500 ? last : []);
          assert.deepEqual(found(records.warnings), status === 500 ? first : [...first, ...last]);
        }
      });

    it("at once from an event stream, and only once", async (t) => {
      const { annex, records } = createSmallAnnex(t);
      const app = express();
      const { promise: end, resolve } = Promise.withResolvers<void>();
      app.get("/events", async (request, response) => {
        response.setHeader("Content-Type", "text/event-stream");
        response.write(": open\n\n");
        const error = new Missing("no such item");
        annex.reportError(error, request);
        annex.reportError(error, request);
        await end;
        response.end();
      });
      await annex.attach(app);
      const server = app.listen(0);
      t.after(() => closed(server));
      const response = await fetch(`http://127.0.0.1:${portOf(await listening(server))}/events`);
      await until("the warning is recorded", () => records.warnings.length > 0);
      resolve();
      await response.text();
      await records.trace(response.headers.get("x-trace-id"));
      assert.deepEqual([records.warnings.length, records.errors.length], [1, 0]);
    });

    it("in the log, at level warn", async (t) => {
      const { annex, dataDir } = createAnnex(t);
      const app = express();
      app.get("/items/:item", (request, response) => {
        annex.reportError(new Missing("no such item"), request);
        response.json({});
      });
      await annex.attach(app);
      const server = app.listen(0);
      t.after(() => closed(server));
      await (await fetch(`http://127.0.0.1:${portOf(await listening(server))}/items/1`)).text();
      const log = () =>
        readFileSync(join(dataDir, "app.log"), "utf8")
          .split("\n")
          .find((line) => line.includes("no such item"));
      const record = await until("the record is in the log", log);
      assert.match(record!, /"level":"WARN"/);
      assert.match(record!, /"msg":"Reported error with a 4xx status"/);
    });
  });

  it("reach Annex through reportError with the context of Hono", async (t) => {
    const request = await start(t, (annex) => {
      const app = new Hono();
      app.get("/items/:item", (c) => {
        annex.reportError(new Error("given"), c);
        return c.json({});
      });
      return { target: app, server: createAdaptorServer({ fetch: app.fetch }) };
    });
    assert.deepEqual(await request("/items/1"), [200, ["given", "/items/{item}"]]);
  });

  it("reach Annex from Hono, even if onError is called after attach", async (t) => {
    const { annex, records } = createSmallAnnex(t);
    const app = new Hono();
    app.get("/items/:item", () => {
      throw new Missing("no such item");
    });
    app.get("/prices/:item", () => {
      throw new Unavailable("no prices");
    });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    t.after(() => closed(server));
    await annex.attach(app, { server });
    app.onError((error, c) => c.text("handled", (error as Missing).status as 404));
    const url = `http://127.0.0.1:${portOf(await listening(server.listen(0)))}`;
    assert.equal((await fetch(`${url}/items/1`)).status, 404);
    assert.equal((await fetch(`${url}/prices/1`)).status, 503);
    await records.request("/prices/1");
    assert.deepEqual(
      records.errors.map(({ error, route }) => [(error as Error).message, route]),
      [["no prices", "/prices/{item}"]],
    );
    await annex.detach();
    assert.equal(await (await app.request("/prices/1")).text(), "handled");
    assert.equal(Object.getOwnPropertyDescriptor(app, "errorHandler")?.writable, true);
  });

  it("reach Annex through reportError with the context of Koa", async (t) => {
    const request = await start(t, (annex) => {
      const app = new Koa();
      app.use(async (ctx, next) => {
        try {
          await next();
        } catch (error) {
          annex.reportError(error, ctx);
          ctx.status = 500;
        }
      });
      app.use(() => {
        throw new Error("thrown");
      });
      return { target: app };
    });
    assert.deepEqual(await request("/items/1"), [500, ["thrown", "(unknown route)"]]);
  });

  it("reach Annex through reportError with the request of Fastify", async (t) => {
    const { annex, records } = createSmallAnnex(t);
    const app = fastify();
    app.get("/items/:item", async (request) => {
      annex.reportError(new Error("given"), request);
      return {};
    });
    await annex.attach(app);
    await app.listen({ port: 0, host: "127.0.0.1" });
    t.after(() => app.close());
    await fetch(`http://127.0.0.1:${portOf(app.server)}/items/1`);
    await records.request("/items/1");
    assert.deepEqual(
      records.errors.map(({ error, route }) => [(error as Error).message, route]),
      [["given", "/items/{item}"]],
    );
  });
});
