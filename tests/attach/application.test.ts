import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { join } from "node:path";
import { describe, it } from "node:test";
import express from "express";
import { Hono } from "hono";
import { share } from "../../src/lib/testing/share.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createFolder, startSource } from "../support/program.ts";
import { attach, createAnnex, createSmallAnnex } from "./hosts/attached.ts";
import { expressKinds } from "./hosts/express.ts";
import { fastifyKinds } from "./hosts/fastify.ts";
import { koaKinds } from "./hosts/koa.ts";
import { nodeKinds } from "./hosts/node.ts";

for (const kind of [expressKinds[0]!, fastifyKinds[0]!, koaKinds[0]!, nodeKinds[0]!]) {
  describe(`an application of Annex on ${kind.name}`, () => {
    const shared = share((t) =>
      attach(t, kind, {}, (annex) => {
        annex.onServe(({ router }) => {
          router.get("/own/{id}", (e) => e.json(200, { id: e.pathValue("id"), trace: annex.traceId() }));
          router.post("/own/{id}", async (e) => e.json(200, await e.bindBody<object>()));
          // The application has a route for GET.
          router.put("/json", (e) => e.json(200, { put: true }));
        });
        annex.jobs.registerJob("once", "Once", "Runs when a test asks for it.", "@yearly", () => {});
      }),
    );

    it("serves its own routes, with bodies", async () => {
      const { url, records } = await shared();
      const response = await fetch(`${url}/own/7`);
      const trace = response.headers.get("x-trace-id");
      assert.deepEqual(await response.json(), { id: "7", trace });
      assert.equal((await records.trace(trace)).route, "/own/{id}");
      const body = JSON.stringify({ text: "x".repeat(100_000) });
      const posted = await fetch(`${url}/own/7`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      assert.equal(await posted.text(), body);
    });

    it("shares a path with the application by method", async () => {
      const { url } = await shared();
      assert.deepEqual(await (await fetch(`${url}/json`, { method: "PUT" })).json(), { put: true });
      assert.deepEqual(await (await fetch(`${url}/json`)).json(), { hello: "world" });
    });

    it("runs jobs", async () => {
      const { annex } = await shared();
      const { id } = await annex.jobs.run("once");
      await until(
        "the run ends",
        () => annex.jobs.findRun(id),
        ({ status }) => status === "success",
      );
    });

    it("has the trace ID of the request in the records of the logger", async () => {
      const { annex, url, slow } = await shared();
      slow.onRequest = () => annex.logger.info("from a handler");
      const pending = fetch(`${url}/slow`);
      await until("the request arrives", () => slow.arrived > 0);
      slow.release();
      const trace = (await pending).headers.get("x-trace-id");
      const found = await until(
        "the record is stored",
        async () =>
          (await annex.logs.search({ traceId: trace! })).items.filter(({ msg }) => msg === "from a handler"),
        (items) => items.length > 0,
      );
      assert.equal(found.length, 1);
    });
  });
}

describe("attach", () => {
  it("excludes start, and is for one application", async (t) => {
    const { annex } = createAnnex(t);
    await annex.attach(createServer());
    assert.throws(() => annex.start(), /Call either start or attach/);
    assert.throws(() => annex.attach(createServer()), /attached already/);
    const { annex: started } = createAnnex(t, { port: 0 });
    await started.start();
    assert.throws(() => started.attach(createServer()), /Call either start or attach/);
  });

  it("says that an earlier attempt failed", async (t) => {
    const { annex } = createSmallAnnex(t);
    await assert.rejects(annex.attach({}), { code: "ATTACH_UNSUPPORTED" });
    const message = "Annex could not be attached. To try again, create another application with createApp.";
    assert.throws(() => annex.attach(createServer()), { message });
  });

  for (const format of ["json", "pretty"])
    it(`that failed leaves the logger working, on standard error (${format})`, async (t) => {
      const dataDir = createFolder(t);
      const source = `
        const app = annex.createApp({ log: { destination: ${JSON.stringify(join(dataDir, "app.log"))} } });
        app.logger.info("before");
        await app.attach({}).catch(({ code }) => app.logger.warn("Running without Annex", { code }));
        app.reportError(new Error("a failure"));
        await new Promise((resolve) => setTimeout(resolve, 1));
        app.logger.debug("too much detail");
        app.logger.error("the last words");
        process.exit(3);`;
      const env = { SVC_DATA_DIR: dataDir, SVC_LOG_FORMAT: format, SVC_LOG_LEVEL: "info" };
      const program = startSource(t, source, { env });
      assert.deepEqual(await program.ended, [3, null]);
      for (const text of [/Running without Annex/, /ATTACH_UNSUPPORTED/, /a failure/, /the last words/])
        assert.match(program.stderr, text);
      assert.doesNotMatch(program.stderr, /before|too much detail/);
      assert.equal(program.stdout, "");
      assert.match(readFileSync(join(dataDir, "app.log"), "utf8"), /before/);
    });

  for (const [name, target, message] of [
    [
      "anything else",
      {},
      /Pass an Express, Fastify, NestJS, Koa or Hono application, or a server of node:http/,
    ],
    ["a router of Express", express.Router(), /Pass an Express/],
    ["a server of HTTP/2", createHttp2Server(), /only servers of node:http and node:https are supported/],
    ["Hono without its server", new Hono(), /attach\(app, \{ server: serve\(app\) \}\)/],
  ] as const) {
    it(`refuses ${name}`, async (t) => {
      const { annex } = createSmallAnnex(t);
      await assert.rejects(annex.attach(target), { name: "StartError", code: "ATTACH_UNSUPPORTED", message });
    });
  }
});
