import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { StartError } from "../../lib/errors/start-error.ts";
import { settles, until } from "../../lib/testing/until.ts";
import type { RootRouter } from "../index.ts";
import { createListener, type TestListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

test("a listener returns its address", async (t) => {
  const { listener } = await createListener(t, (router) => router.get("/x", (e) => e.text(200, "x")));
  const { host, port } = await listener.listen("127.0.0.1", 0);
  assert.equal(host, "127.0.0.1");
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/x`)).text(), "x");
});

test("a listener on localhost is one listener, with all its guards", async (t) => {
  const { listen, listener } = await createListener(t);
  const port = await listen("localhost");
  const wire = await Wire.connect(t, port);
  wire.request(get("/x"));
  await wire.response();
  assert.equal(listener.connections, 1);
  await assert.rejects(once(connect(port, "::1"), "connect"), { code: "ECONNREFUSED" });
});

test("a port in use is explained in one sentence", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  const { listener } = await createListener(t);
  await assert.rejects(listener.listen("127.0.0.1", port), (error: StartError) => {
    assert.ok(error instanceof StartError);
    assert.deepEqual([error.code, error.exitCode], ["PORT_IN_USE", 69]);
    assert.equal(
      error.message,
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or choose another port with SVC_PORT or the option "port".`,
    );
    return true;
  });
});

for (const host of ["192.0.2.1", "no-such-host.invalid"]) {
  test(`the address ${host}, which is not ours, is explained in one sentence`, async (t) => {
    const { listener } = await createListener(t);
    await assert.rejects(listener.listen(host, 0), {
      constructor: StartError,
      code: "ADDRESS_UNAVAILABLE",
      message: `The address "${host}" does not belong to this machine. Change SVC_HOST or the option "host".`,
    });
  });
}

test("connections are counted while they are open, those in memory too", async (t) => {
  const { listen, listener, inject } = await createListener(t, (router) =>
    router.get("/x", (e) => e.noContent()),
  );
  const port = await listen();
  const wires = [await Wire.connect(t, port), await Wire.connect(t, port)];
  for (const wire of wires) {
    wire.request(get("/x"));
    await wire.response();
  }
  assert.equal(listener.connections, 2);
  await inject("/x");
  await inject("/x");
  wires[0]!.socket.destroy();
  await until("one connection is left", () => listener.connections === 1);
  assert.equal(listener.connections, 1);
});

test("an idle connection is ended when its time is over", async (t) => {
  const { listen } = await createListener(t, (router) => router.get("/x", (e) => e.noContent()), {
    limits: { keepAliveTimeoutMs: 50 },
  });
  const wire = await Wire.connect(t, await listen());
  wire.request(get("/x"));
  await wire.response();
  // Node adds a second to the timeout. The default is 72 s.
  await settles("the idle connection ends", wire.closed, { within: 60_000 });
});

test("a client that stops reading is cut off", async (t) => {
  const { listen, listener } = await createListener(
    t,
    (router) => router.get("/big", (e) => e.bytes(200, "text/plain", Buffer.alloc(50_000_000))),
    { limits: { stalledTimeoutMs: 100 } },
  );
  const port = await listen();
  const accepted = once(listener.server, "connection");
  const wire = await Wire.connect(t, port);
  const [socket] = (await accepted) as [Socket];
  wire.socket.pause();
  wire.request(get("/big"));
  await once(socket, "close");
  assert.ok(socket.bytesWritten > 0);
});

test("a handler that thinks for long is not taken for a client that stalls", async (t) => {
  const { listen } = await createListener(
    t,
    (router) =>
      router.get("/slow", async (e) => {
        await new Promise((resolve) => setTimeout(resolve, 350));
        return e.text(200, "thought");
      }),
    { limits: { stalledTimeoutMs: 50, keepAliveTimeoutMs: 1 } },
  );
  const wire = await Wire.connect(t, await listen());
  wire.request(get("/slow"));
  assert.equal((await wire.response()).body, "thought");
});

/** Routes whose handlers wait until the test lets them go on. */
async function createWaiting(
  t: Parameters<typeof createListener>[0],
): Promise<
  TestListener & { release: () => void; entered: (path: string) => Promise<unknown>; port: number }
> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const register = (router: RootRouter) => {
    router.get("/quick", (e) => e.text(200, "quick"));
    router.get("/slow/{n}", async (e) => {
      await gate;
      return e.text(200, "slow");
    });
    router.get("/stuck", async (e) => void (await once(e.response, "close")));
    router.get("/stream", async (e) => {
      e.response.writeHead(200, { "Content-Length": 10 });
      e.response.write("first");
      await gate;
      e.response.end("final");
    });
  };
  const server = await createListener(t, register);
  const port = await server.listen();
  const entered = (path: string) =>
    new Promise((resolve) => server.listener.server.on("request", ({ url }) => url === path && resolve(url)));
  return { ...server, release, entered, port };
}

test("closing waits for requests in flight and asks their clients to close", async (t) => {
  const { listener, release, entered, port, facts } = await createWaiting(t);
  const wire = await Wire.connect(t, port);
  const arrived = entered("/slow/1");
  wire.request(get("/slow/1"));
  await arrived;
  const closed = listener.close(10_000);
  release();
  const response = await wire.response();
  assert.deepEqual([response.status, response.body], [200, "slow"]);
  assert.equal(response.headers.get("connection"), "close");
  await wire.closed;
  await closed;
  assert.equal((await facts.find()).aborted, false);
  await assert.rejects(Wire.connect(t, port), { code: "ECONNREFUSED" });
});

test("closing ends idle and unused connections immediately, even with requests in flight", async (t) => {
  const { listener, release, entered, port } = await createWaiting(t);
  const [busy, idle, unused, partial] = [
    await Wire.connect(t, port),
    await Wire.connect(t, port),
    await Wire.connect(t, port),
    await Wire.connect(t, port),
  ];
  idle.request(get("/quick"));
  await idle.response();
  partial.send("GET /quick HT");
  const arrived = entered("/slow/1");
  busy.request(get("/slow/1"));
  await arrived;
  const closed = listener.close(10_000);
  await Promise.all([idle.closed, unused.closed, partial.closed]);
  assert.equal(busy.socket.destroyed, false);
  release();
  assert.equal((await busy.response()).body, "slow");
  await closed;
});

test("closing ends a connection after a response that had already begun", async (t) => {
  const { listener, release, entered, port } = await createWaiting(t);
  const wire = await Wire.connect(t, port);
  const other = await Wire.connect(t, port);
  const arrived = entered("/slow/1");
  other.request(get("/slow/1"));
  await arrived;
  wire.request(get("/stream"));
  await once(wire.socket, "data");
  const closed = listener.close(10_000);
  release();
  assert.equal((await wire.response()).body, "firstfinal");
  await wire.closed;
  await closed;
});

test("closing waits for all pipelined requests", async (t) => {
  const { listener, release, entered, port } = await createWaiting(t);
  const wire = await Wire.connect(t, port);
  const arrived = entered("/slow/3");
  wire.send([1, 2, 3].map((n) => `GET /slow/${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  await arrived;
  const closed = listener.close(10_000);
  release();
  // The first response has Connection: close, so the client does not expect the others.
  assert.equal((await wire.response()).body, "slow");
  await wire.closed;
  await closed;
  assert.equal(listener.observer.inFlight, 0);
});

test("closing cuts open requests after the grace period", async (t) => {
  const { listener, entered, port, facts } = await createWaiting(t);
  const wire = await Wire.connect(t, port);
  const arrived = entered("/stuck");
  wire.request(get("/stuck"));
  await arrived;
  const startedAt = performance.now();
  await listener.close(100);
  assert.ok(performance.now() - startedAt >= 95);
  await wire.closed;
  assert.equal((await facts.find()).path, "/stuck");
  assert.equal(listener.connections, 0);
});

test("closing with nothing open is immediate, and doing it again changes nothing", async (t) => {
  const { listener } = await createListener(t);
  await settles("the listener closes", listener.close(60_000), { within: 50_000 });
  await settles("it closes again", listener.close(60_000), { within: 50_000 });
});

test("closing lets a request in memory end too", async (t) => {
  const { listener, release, entered, inject } = await createWaiting(t);
  const arrived = entered("/slow/1");
  const response = inject("/slow/1");
  await arrived;
  const closed = listener.close(10_000);
  release();
  assert.equal((await response).body, "slow");
  await closed;
});

test("draining asks clients to close and continues to serve", async (t) => {
  const { listener, port, inject } = await createWaiting(t);
  listener.drain();
  const wire = await Wire.connect(t, port);
  wire.request(get("/quick"));
  const response = await wire.response();
  assert.deepEqual([response.body, response.headers.get("connection")], ["quick", "close"]);
  await wire.closed;
  assert.equal((await inject("/quick")).body, "quick");
});

test("a request in memory after closing is refused", async (t) => {
  const { listener, inject } = await createListener(t, (router) => router.get("/x", (e) => e.noContent()));
  await listener.close(0);
  await assert.rejects(inject("/x"), { message: "The listener is closed." });
});
