/** `annex.detach()` leaves the application as it was. */
import assert from "node:assert/strict";
import type { EventEmitter } from "node:events";
import { createServer, type Server } from "node:http";
import { before, describe, it, type TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { get, Wire } from "../../../src/http/testing/wire.ts";
import { settles, until } from "../../../src/lib/testing/until.ts";
import { createAnnex, createSmallAnnex } from "../hosts/attached.ts";
import { expressKinds } from "../hosts/express.ts";
import { fastifyKinds } from "../hosts/fastify.ts";
import { honoKinds } from "../hosts/hono.ts";
import { closed, type HostKind, listening, portOf, SlowRequests } from "../hosts/host.ts";
import { koaKinds } from "../hosts/koa.ts";
import { nestKinds } from "../hosts/nest.ts";
import { nodeKinds } from "../hosts/node.ts";

const kinds = [...expressKinds, ...fastifyKinds, ...koaKinds, ...nestKinds, ...honoKinds, ...nodeKinds];

/** The own functions of an object, by name. */
function functionsOf(object: object): Map<PropertyKey, unknown> {
  const functions = new Map<PropertyKey, unknown>();
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object)))
    if (typeof value === "function") functions.set(name, value);
  return functions;
}

function listenersOf(emitter: EventEmitter): Map<PropertyKey, readonly unknown[]> {
  const names = emitter.eventNames().filter((name) => emitter.listenerCount(name) > 0);
  return new Map(names.map((name) => [name, [...emitter.rawListeners(name)]]));
}

function describeState(target: object, server: Server) {
  return {
    target: functionsOf(target),
    server: functionsOf(server),
    ofServer: listenersOf(server),
    ofProcess: listenersOf(process),
  };
}

// Some listeners of the process are for all applications together, and stay.
before((t) => createAnnex(t as TestContext).annex.stop());

async function startHost(t: TestContext, kind: HostKind) {
  const slow = new SlowRequests();
  const host = await kind.create(slow);
  t.after(() => host.close());
  t.after(() => slow.release());
  const server = await host.listen();
  // A busy machine may need long between two requests.
  server.keepAliveTimeout = 0;
  return { host, slow, server, port: portOf(server) };
}

for (const kind of kinds) {
  it(`detach restores ${kind.name}, also for open connections`, async (t) => {
    const { host, server, port } = await startHost(t, kind);
    const before = describeState(host.target, server);
    const { annex, records } = createAnnex(t, { signals: true });
    await annex.attach(host.target, host.server && { server: host.server });
    const wire = await Wire.connect(t, port);
    wire.request(get("/json"));
    const observed = await wire.response();
    await records.trace(observed.headers.get("x-trace-id")!);
    wire.request(get("/api/health"));
    assert.equal((await wire.response()).status, 200);
    await annex.detach();
    assert.deepEqual(describeState(host.target, server), before);
    const count = records.requests.length;
    for (const path of ["/json", "/throw", "/api/health"]) {
      wire.request(get(path));
      const { status, headers } = await wire.response();
      assert.equal(status, { "/json": 200, "/throw": 500 }[path] ?? 404);
      assert.equal(headers.get("x-trace-id"), undefined);
      assert.notEqual(headers.get("connection"), "close");
    }
    assert.deepEqual([records.requests.length, records.errors.length], [count, 0]);
  });
}

describe("detach", () => {
  it("waits for requests in flight, and records them", async (t) => {
    const { host, slow, port } = await startHost(t, expressKinds[0]!);
    const before = functionsOf(host.target);
    const { annex, records } = createAnnex(t);
    await annex.attach(host.target);
    const pending = fetch(`http://127.0.0.1:${port}/slow`);
    await until("the request arrives", () => slow.arrived === 1);
    const detached = annex.detach();
    await until("the application is as before", () => isDeepStrictEqual(functionsOf(host.target), before));
    slow.release();
    const response = await pending;
    assert.equal(await response.text(), "done");
    await detached;
    assert.equal((await records.trace(response.headers.get("x-trace-id"))).route, "/slow");
  });

  it("does not wait for an event stream of the application, and records it", async (t) => {
    let send: (event: string) => void = () => {};
    const server = await listening(
      createServer((_request, response) => {
        send = (event) => void response.write(`data: ${event}\n\n`);
        response.writeHead(200, { "content-type": "text/event-stream" });
        send("1");
      }).listen(0),
    );
    t.after(() => closed(server));
    t.after(() => server.closeAllConnections());
    const { annex, records } = createSmallAnnex(t, { shutdown: { graceMs: 600_000 } });
    await annex.attach(server);
    const { body } = await fetch(`http://127.0.0.1:${portOf(server)}/stream`);
    const events = body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await events.read()).value, "data: 1\n\n");
    await settles("Annex is detached", annex.detach());
    assert.deepEqual(
      records.requests.map(({ path, status, bytes }) => [path, status, bytes]),
      [["/stream", 200, 9]],
    );
    send("2");
    assert.equal((await events.read()).value, "data: 2\n\n");
  });

  it("leaves the function of another library that has replaced one of Annex", async (t) => {
    const server = createServer((_request, response) => void response.end("own"));
    t.after(() => closed(server));
    const { annex, records } = createAnnex(t);
    await annex.attach(server);
    const { emit } = server;
    let calls = 0;
    const wrapper = function (this: Server, ...args: unknown[]): boolean {
      calls++;
      return Reflect.apply(emit, this, args as Parameters<Server["emit"]>);
    };
    server.emit = wrapper;
    const url = `http://127.0.0.1:${portOf(await listening(server.listen(0)))}`;
    const response = await fetch(url);
    await response.text();
    await records.trace(response.headers.get("x-trace-id"));
    await annex.detach();
    assert.equal(server.emit, wrapper);
    const earlier = calls;
    const after = await fetch(url);
    assert.deepEqual([await after.text(), after.headers.get("x-trace-id")], ["own", null]);
    assert.ok(calls > earlier);
    assert.equal(records.requests.length, 1);
  });

  it("allows another Annex to be attached", async (t) => {
    const { host, port } = await startHost(t, expressKinds[0]!);
    for (let round = 0; round < 2; round++) {
      const { annex, records } = createAnnex(t);
      await annex.attach(host.target);
      const response = await fetch(`http://127.0.0.1:${port}/json`);
      await response.text();
      assert.equal((await records.trace(response.headers.get("x-trace-id"))).route, "/json");
      await annex.detach();
      assert.equal(records.requests.length, 1);
    }
  });
});
