import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { WebSocket } from "ws";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { settles, until } from "../../lib/testing/until.ts";
import type { RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

const mebibyte = 1_048_576;

/** A server with a WebSocket at `/feed`, whose handler the test gets. */
async function createFeed(t: TestContext, limits: { unreadBytes?: number } = {}) {
  const clock = new FakeClock(0);
  const opened = Promise.withResolvers<{ e: RequestEvent; socket: WebSocket }>();
  const { listen, listener, failures } = await createListener(
    t,
    (router) => router.upgrade("/feed", (e, socket) => opened.resolve({ e, socket })),
    { clock, limits },
  );
  return { clock, port: await listen(), listener, failures, opened: opened.promise };
}

/** A client that has opened a WebSocket and can send any frames. */
async function connectWire(t: TestContext, port: number): Promise<Wire> {
  const wire = await Wire.connect(t, port);
  const key = randomBytes(16).toString("base64");
  const lines = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  wire.request(get("/feed", ...lines, `Sec-WebSocket-Key: ${key}`));
  assert.equal((await wire.response()).status, 101);
  return wire;
}

/** A frame as clients send it: with a mask, which is zero here. */
const frame = (opcode: number, payload = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
const pingCode = 0x9;
const pongCode = 0xa;

/** Sends until the client is cut off or the limit is exceeded by far, and returns the largest amount that waited. */
async function flood(socket: WebSocket, message: string): Promise<number> {
  let largest = 0;
  for (let sent = 0; sent < 50 * mebibyte && socket.readyState === socket.OPEN; sent += message.length) {
    socket.send(message);
    largest = Math.max(largest, socket.bufferedAmount);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return largest;
}

test("a client that does not read is closed before the next heartbeat, and memory stays bounded", async (t) => {
  const { clock, port, opened, listener, failures } = await createFeed(t);
  const wire = await connectWire(t, port);
  wire.socket.pause();
  const { e, socket } = await opened;
  const largest = await flood(socket, "x".repeat(100_000));
  assert.equal(socket.readyState, socket.CLOSING);
  assert.ok(largest < 2 * mebibyte, `${largest} bytes were waiting`);
  assert.deepEqual(listener.openStreams.slow, { eventStreams: 0, webSockets: 1 });
  // The client does not read the close frame either.
  clock.advance(5_000);
  await until("the connection is closed", () => e.signal.aborted);
  assert.deepEqual(listener.openStreams.open, { eventStreams: 0, webSockets: 0 });
  assert.deepEqual(failures.items, []);
});

test("a slow client that catches up gets the close code 1013", async (t) => {
  const { port, opened } = await createFeed(t);
  const client = new WebSocket(`ws://127.0.0.1:${port}/feed`);
  t.after(() => client.terminate());
  await settles("the WebSocket opens", once(client, "open"));
  client.pause();
  const { socket } = await opened;
  await flood(socket, "x".repeat(100_000));
  const closed = once(client, "close");
  client.resume();
  const [code, reason] = await settles("the WebSocket closes", closed);
  assert.deepEqual([code, String(reason)], [1013, "The client reads too slowly"]);
});

test("many small messages count by the memory they need", async (t) => {
  const { port, opened } = await createFeed(t);
  const wire = await connectWire(t, port);
  wire.socket.pause();
  const { socket } = await opened;
  // Fills the buffers of the system, so that messages wait.
  while (socket.bufferedAmount === 0) socket.send("x".repeat(100_000));
  const before = socket.bufferedAmount;
  let count = 0;
  for (; count < 100_000 && socket.readyState === socket.OPEN; count++) socket.send("x");
  assert.ok(count < 5_000, `${count} messages were waiting, ${socket.bufferedAmount - before} bytes`);
});

test("a client that reads gets any number of messages", async (t) => {
  const { port, opened, listener } = await createFeed(t);
  const client = new WebSocket(`ws://127.0.0.1:${port}/feed`);
  t.after(() => client.terminate());
  let received = 0;
  client.on("message", () => received++);
  const { socket } = await opened;
  const callbacks: unknown[] = [];
  for (let count = 0; count < 50_000; count++) {
    socket.send("x", { binary: true }, (error) => callbacks.push(error));
    if (count % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // One message can be larger than the limit.
  socket.send("x".repeat(4 * mebibyte));
  await until(
    "all messages arrive",
    () => received,
    (count) => count === 50_001,
  );
  assert.deepEqual([callbacks.length, callbacks.every((error) => !error)], [50_000, true]);
  assert.equal(listener.openStreams.slow.webSockets, 0);
});

test("limits.unreadBytes sets how much may wait", async (t) => {
  const { port, opened } = await createFeed(t, { unreadBytes: 10 * mebibyte });
  const wire = await connectWire(t, port);
  wire.socket.pause();
  const { socket } = await opened;
  const largest = await flood(socket, "x".repeat(100_000));
  assert.ok(largest > 9 * mebibyte && largest < 11 * mebibyte, `${largest} bytes were waiting`);
});

for (const [name, payloads] of Object.entries({
  "without content": () => [Buffer.alloc(0)],
  "with guessed content": () => [Buffer.from([1]), Buffer.alloc(8), Buffer.from("ping")],
})) {
  test(`pongs ${name} are no response to a ping`, async (t) => {
    const { clock, port, opened } = await createFeed(t);
    const wire = await connectWire(t, port);
    const { e, socket } = await opened;
    clock.advance(30_000);
    const pongs = once(socket, "pong");
    for (const payload of payloads()) wire.send(frame(pongCode, payload));
    await settles("the pongs arrive", pongs);
    clock.advance(30_000);
    await until("the connection is closed", () => e.signal.aborted);
  });
}

test("a client cannot fill memory with pings whose responses it does not read", async (t) => {
  const { port, opened } = await createFeed(t);
  const wire = await connectWire(t, port);
  wire.socket.pause();
  const { e, socket } = await opened;
  while (socket.bufferedAmount === 0) socket.send("x".repeat(100_000));
  const waiting = socket.bufferedAmount;
  const pings = Buffer.concat(Array.from({ length: 5_000 }, () => frame(pingCode, Buffer.alloc(125))));
  wire.send(pings);
  let largest = 0;
  await until("the connection is closed", () => {
    largest = Math.max(largest, socket.bufferedAmount - waiting);
    return e.signal.aborted;
  });
  assert.ok(largest < 65_536, `${largest} bytes of pongs were waiting`);
});
