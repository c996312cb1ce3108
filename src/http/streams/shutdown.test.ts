import assert from "node:assert/strict";
import { once } from "node:events";
import { Readable } from "node:stream";
import { settles, until } from "../../lib/testing/until.ts";
import type { RequestEvent } from "../index.ts";
import { openEvents } from "../testing/events.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

/** Longer than any test, so that a request that is waited for makes the test fail. */
const graceMs = 600_000;

/** Routes whose request event the test gets. */
async function createCaught(t: Parameters<typeof createListener>[0], handler: (e: RequestEvent) => unknown) {
  const caught = Promise.withResolvers<RequestEvent>();
  const server = await createListener(t, (router) => {
    router.get("/x", (e) => {
      caught.resolve(e);
      return handler(e);
    });
  });
  return {
    ...server,
    port: await server.listen(),
    caught: () => settles("the request arrives", caught.promise),
  };
}

test("the signal of a finished request never aborts", async (t) => {
  const { inject, caught } = await createCaught(t, (e) => {
    assert.equal(e.signal, e.signal);
    return e.text(200, "x");
  });
  await inject("/x");
  const { signal, response } = await caught();
  await until("the response is closed", () => response.destroyed);
  assert.equal(signal.aborted, false);
});

test("the signal aborts when the client disconnects, also if it is first used later", async (t) => {
  const released = Promise.withResolvers<void>();
  const { port, caught, failures } = await createCaught(t, (e) => {
    e.set("signal", e.signal);
    return released.promise;
  });
  const wire = await Wire.connect(t, port);
  wire.request(get("/x"));
  const e = await caught();
  wire.socket.destroy();
  await until("the signal aborts", () => e.signal.aborted);
  assert.equal(e.signal.reason.code, "CLIENT_DISCONNECTED");
  released.resolve();
  assert.deepEqual(failures.items, []);
});

test("the signal of a request whose client is gone is aborted from the start", async (t) => {
  const { port, caught } = await createCaught(t, () => new Promise(() => {}));
  const wire = await Wire.connect(t, port);
  wire.request(get("/x"));
  const e = await caught();
  wire.socket.destroy();
  await until("the response is closed", () => e.response.destroyed);
  assert.equal(e.signal.reason.code, "CLIENT_DISCONNECTED");
});

test("a stop lets a request in flight finish, and its signal does not abort meanwhile", async (t) => {
  const released = Promise.withResolvers<void>();
  const { port, caught, listener } = await createCaught(t, async (e) => {
    const { signal } = e;
    await released.promise;
    return e.json(200, { aborted: signal.aborted });
  });
  const wire = await Wire.connect(t, port);
  wire.request(get("/x"));
  await caught();
  const closed = listener.close(graceMs);
  released.resolve();
  assert.deepEqual((await wire.response()).json(), { aborted: false });
  await settles("the listener closes", closed);
});

test("a request that waits for its signal gets 503 before the grace period ends", async (t) => {
  const { port, caught, listener } = await createCaught(t, async ({ signal }) => {
    await once(signal, "abort");
    throw signal.reason;
  });
  const wire = await Wire.connect(t, port);
  wire.request(get("/x"));
  await caught();
  const closed = listener.close(200);
  const { status, headers } = await wire.response();
  assert.deepEqual([status, headers.get("connection")], [503, "close"]);
  await settles("the listener closes", closed);
});

test("a stop ends an event stream of e.stream that never ends, and reports nothing", async (t) => {
  const { port, listener, failures, facts } = await createCaught(t, (e) => {
    const body = new Readable({ read() {} });
    body.push("data: first\n\n");
    return e.stream(200, "text/event-stream", body);
  });
  const client = await openEvents(t, `http://127.0.0.1:${port}/x`);
  await client.readThrough("first");
  const closed = listener.close(graceMs);
  assert.equal(await client.readAll(), "data: first\n\n");
  await settles("the listener closes", closed);
  assert.equal((await facts.find()).statusCode, 200);
  assert.deepEqual(failures.items, []);
});

test("a stop ends an event stream that has sent nothing", async (t) => {
  const { port, listener, caught, failures } = await createCaught(t, (e) =>
    e.stream(200, "text/event-stream", new Readable({ read() {} })),
  );
  const wire = await Wire.connect(t, port);
  wire.request(get("/x"));
  await caught();
  const closed = listener.close(graceMs);
  const { status, headers, body } = await wire.response();
  assert.deepEqual([status, headers.get("content-type"), body], [200, "text/event-stream", ""]);
  await settles("the listener closes", closed);
  assert.deepEqual(failures.items, []);
});

test("a stop ends a stream that listens to the signal", async (t) => {
  const { port, listener } = await createCaught(t, (e) => {
    async function* lines() {
      yield "first\n";
      await once(e.signal, "abort");
      yield "last\n";
    }
    return e.stream(200, "text/plain", Readable.from(lines()));
  });
  const client = await openEvents(t, `http://127.0.0.1:${port}/x`);
  await client.readThrough("first");
  const closed = listener.close(graceMs);
  assert.equal(await client.readAll(), "first\nlast\n");
  await settles("the listener closes", closed);
});

test("a stop lets a download finish that does not know about it", async (t) => {
  const released = Promise.withResolvers<void>();
  const { port, listener } = await createCaught(t, (e) => {
    async function* parts() {
      yield "first half, ";
      await released.promise;
      yield "second half";
    }
    return e.stream(200, "text/plain", Readable.from(parts()));
  });
  const client = await openEvents(t, `http://127.0.0.1:${port}/x`);
  await client.readThrough("first");
  const closed = listener.close(graceMs);
  listener.shutdown.endStreams();
  released.resolve();
  assert.equal(await client.readAll(), "first half, second half");
  await settles("the listener closes", closed);
});
