import assert from "node:assert/strict";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { WebSocket } from "ws";
import { settles, until } from "../../lib/testing/until.ts";
import type { ListenerLimits } from "../index.ts";
import { openEvents } from "../testing/events.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

/** A server behind a trusted proxy, with an event stream and a WebSocket. Clients choose their address. */
async function createServer(t: TestContext, limits: Partial<ListenerLimits>) {
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = await createListener(
    t,
    (router) => {
      router.get("/events", (e) => e.sse(() => {}));
      router.upgrade("/socket", () => {});
      router
        .upgrade("/slow-guard", () => {})
        .bindFunc(async (e) => {
          entered.resolve();
          await released.promise;
          await e.next();
        });
    },
    { limits, trusted: ["127.0.0.1"] },
  );
  const port = await server.listen();
  const { openStreams } = server.listener;

  function connect(address: string): WebSocket {
    const headers = { "x-forwarded-for": address };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, { headers });
    socket.on("error", () => {});
    t.after(() => socket.terminate());
    return socket;
  }

  return {
    ...{ server, port, openStreams, entered: entered.promise, release: released.resolve },
    openSocket: async (address: string) => {
      const socket = connect(address);
      await settles("the WebSocket opens", once(socket, "open"));
      return socket;
    },
    /** The refusal of a handshake. */
    refuseSocket: async (address: string) => {
      const [, response] = await settles(
        "the handshake is refused",
        once(connect(address), "unexpected-response"),
      );
      const { message } = JSON.parse(Buffer.concat(await response.toArray()).toString());
      return [response.statusCode, message];
    },
    openStream: (address: string) =>
      openEvents(t, `http://127.0.0.1:${port}/events`, { "x-forwarded-for": address }),
    refuseStream: async (address: string) => {
      const headers = { "x-forwarded-for": address };
      const { status, json } = await server.inject({ url: "/events", headers, remoteAddress: "127.0.0.1" });
      return [status, (json() as { message: string }).message];
    },
  };
}

const perAddress = [
  429,
  "Too many event streams and WebSockets are open from this address. Close some of them and retry.",
];
const inAll = [503, "Too many event streams and WebSockets are open on this server. Retry later."];

test("a client address can have a limited number of event streams and WebSockets", async (t) => {
  const { openSocket, openStream, refuseSocket, refuseStream, openStreams, server } = await createServer(t, {
    openStreamsPerAddress: 2,
  });
  const socket = await openSocket("203.0.113.7");
  const stream = await openStream("203.0.113.7");
  assert.deepEqual(openStreams.open, { eventStreams: 1, webSockets: 1 });
  assert.deepEqual(await refuseSocket("203.0.113.7"), perAddress);
  assert.deepEqual(await refuseStream("203.0.113.7"), perAddress);
  assert.deepEqual(openStreams.refused, { eventStreams: 1, webSockets: 1 });
  await openSocket("203.0.113.8");

  socket.close();
  await until("the WebSocket closes", () => openStreams.open.webSockets === 1);
  await openSocket("203.0.113.7");
  stream.disconnect();
  await until("the event stream closes", () => openStreams.open.eventStreams === 0);
  await openStream("203.0.113.7");
  assert.deepEqual(server.failures.items, []);
});

test("all addresses of an IPv6 /64 network count as one", async (t) => {
  const { openSocket, refuseSocket } = await createServer(t, { openStreamsPerAddress: 1 });
  await openSocket("2001:db8:0:1::1");
  assert.deepEqual(await refuseSocket("2001:db8:0:1:ffff::2"), perAddress);
  await openSocket("2001:db8:0:2::1");
});

test("a server can have a limited number of event streams and WebSockets", async (t) => {
  const { openSocket, openStream, refuseSocket, refuseStream } = await createServer(t, { openStreams: 2 });
  await openSocket("203.0.113.7");
  await openStream("203.0.113.8");
  assert.deepEqual(await refuseSocket("203.0.113.9"), inAll);
  assert.deepEqual(await refuseStream("203.0.113.9"), inAll);
});

test("handshakes that fail and HEAD requests do not count", async (t) => {
  const { port, openSocket, openStreams, server, entered, release } = await createServer(t, {
    openStreamsPerAddress: 1,
  });
  const address = "X-Forwarded-For: 203.0.113.7";
  const invalid = await Wire.connect(t, port);
  invalid.request(get("/socket", "Connection: Upgrade", "Upgrade: websocket", address));
  assert.equal((await invalid.response()).status, 400);
  await settles("the connection ends", invalid.closed);

  const gone = await Wire.connect(t, port);
  const key = ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
  gone.request(get("/slow-guard", "Connection: Upgrade", "Upgrade: websocket", ...key, address));
  await entered;
  gone.socket.resetAndDestroy();
  await server.facts.find(({ statusCode }) => statusCode === 499);
  release();

  const head = await Wire.connect(t, port);
  head.request(["HEAD /events HTTP/1.1", "Host: localhost", address]);
  assert.equal((await head.response({ withoutBody: true })).status, 200);

  await openSocket("203.0.113.7");
  assert.deepEqual(openStreams.open, { eventStreams: 0, webSockets: 1 });
});
