/** The trace ID of the current request, in the code of an application that Annex is attached to. */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as immediate, setTimeout as timeout } from "node:timers/promises";
import express from "express";
import { get, Wire } from "../../src/http/testing/wire.ts";
import { type Cleanup, share } from "../../src/lib/testing/share.ts";
import { createAnnex } from "./hosts/attached.ts";
import { closed, listening, portOf } from "./hosts/host.ts";

describe("annex.traceId()", () => {
  const shared = share(async (t: Cleanup) => {
    const { annex } = createAnnex(t);
    const app = express();
    const emitter = new EventEmitter();
    emitter.on("event", (seen: (string | undefined)[]) => seen.push(annex.traceId()));
    app.use(express.json());
    app.post("/places", async (_request, response) => {
      const seen = [annex.traceId()];
      await timeout(1);
      seen.push(annex.traceId());
      await immediate();
      seen.push(annex.traceId());
      emitter.emit("event", seen);
      for await (const _chunk of Readable.from(["a", "b"])) seen.push(annex.traceId());
      await new Promise<void>((resolve) => process.nextTick(resolve));
      seen.push(annex.traceId());
      response.json(seen);
    });
    await annex.attach(app);
    const server = await listening(app.listen(0));
    t.after(() => closed(server));
    return { annex, server, port: portOf(server) };
  });

  async function post(wire: Wire) {
    const type = "Content-Type: application/json";
    wire.request(["POST /places HTTP/1.1", "Host: localhost", type, "Content-Length: 2"], "{}");
    const response = await wire.response();
    return { trace: response.headers.get("x-trace-id")!, seen: new Set(response.json<string[]>()) };
  }

  it("is that of the request everywhere in its handler, also in later requests of a connection", async (t: TestContext) => {
    const wire = await Wire.connect(t, (await shared()).port);
    const traces = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const { trace, seen } = await post(wire);
      assert.deepEqual([...seen], [trace]);
      traces.add(trace);
      wire.request(get("/api/health"));
      assert.equal((await wire.response()).status, 200);
    }
    assert.equal(traces.size, 3);
  });

  it("is not mixed between requests at the same time", async (t: TestContext) => {
    const { port } = await shared();
    const wires = await Promise.all(Array.from({ length: 10 }, () => Wire.connect(t, port)));
    for (const { trace, seen } of await Promise.all(wires.map(post))) assert.deepEqual([...seen], [trace]);
  });

  it("is absent outside of requests, also in events of a connection that has had some", async (t: TestContext) => {
    const { annex, server, port } = await shared();
    assert.equal(annex.traceId(), undefined);
    const connected = once(server, "connection");
    const wire = await Wire.connect(t, port);
    const [socket] = await connected;
    const seen: (string | undefined)[] = [];
    const closes = new Promise<void>((resolve) => {
      socket.on("close", () => {
        seen.push(annex.traceId());
        resolve();
      });
    });
    await post(wire);
    wire.request(get("/api/health"));
    await wire.response();
    wire.socket.destroy();
    await closes;
    assert.deepEqual(seen, [undefined]);
  });
});
