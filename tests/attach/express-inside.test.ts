import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import compression from "compression";
import express5 from "express";
import express4 from "express-4";
import { createTestApp } from "../../src/app/testing/test-app.ts";
import type { RequestEvent } from "../../src/http/index.ts";
import { createListener } from "../../src/http/testing/listener.ts";
import { until } from "../../src/lib/testing/until.ts";

type Add = (app: express5.Express) => unknown;

for (const [name, express] of [
  ["Express 5", express5],
  ["Express 4", express4 as unknown as typeof express5],
] as const) {
  describe(`an application of ${name} in a handler of Annex`, () => {
    function createHandler(add: Add) {
      const app = express();
      app.set("env", "test");
      add(app);
      return async (e: RequestEvent) => {
        const closed = once(e.response, "close");
        app(e.request, e.response);
        await closed;
      };
    }

    for (const [kind, add] of [
      ["at once", (app) => app.get("/x", (_request, response) => void response.json({ ok: true }))],
      [
        "later",
        (app) => app.get("/x", (_request, response) => void setImmediate(() => response.json({ ok: true }))),
      ],
      [
        "compressed",
        (app) =>
          app
            .use(compression({ threshold: 0 }))
            .get("/x", (_request, response) => void setImmediate(() => response.json({ ok: true }))),
      ],
    ] satisfies [string, Add][]) {
      it(`responds ${kind} and is recorded`, async (t) => {
        const { inject, facts, listener } = await createListener(t, (router) => {
          router.get("/{rest...}", createHandler(add));
        });
        const response = await inject({ url: "/x", headers: { "accept-encoding": "gzip" } });
        assert.equal(response.status, 200);
        const fact = await facts.find();
        assert.deepEqual([fact.statusCode, fact.path, fact.bytesSent], [200, "/x", response.bytes.length]);
        assert.equal(listener.observer.inFlight, 0);
      });
    }

    it("has a response if it throws in a timer", async (t) => {
      const app = createTestApp(t);
      const handler = createHandler((inner) =>
        inner.get("/x", () => {
          setTimeout(() => {
            throw new Error("in a timer");
          }, 1);
        }),
      );
      app.onServe(({ router }) => void router.get("/{rest...}", handler));
      const { url } = await app.start();
      // The test runner listens for uncaught errors too, and would fail the test.
      const others = process.listeners("uncaughtException").filter(({ name }) => name !== "onException");
      for (const listener of others) process.off("uncaughtException", listener);
      t.after(() => {
        for (const listener of others) process.on("uncaughtException", listener);
      });
      const response = await fetch(`${url}/x`);
      assert.equal(response.status, 500);
      const { trace_id } = (await response.json()) as { trace_id: string };
      assert.equal(trace_id, response.headers.get("x-trace-id"));
      await until(
        "the error is in the log",
        async () => (await app.logs.search({ trace: trace_id } as never)).items.length > 0,
      );
    });
  });
}
