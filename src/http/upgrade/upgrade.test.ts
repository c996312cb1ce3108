import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { TestContext } from "node:test";
import { type ClientOptions, WebSocket } from "ws";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { settles, until } from "../../lib/testing/until.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { type RequestEvent, type RootRouter, RouteError } from "../index.ts";
import { createListener, type TestListenerOptions } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

async function createServer(
  t: TestContext,
  register: (router: RootRouter) => void,
  options?: TestListenerOptions,
) {
  const server = await createListener(t, register, options);
  const port = await server.listen();
  const connect = (path: string, more: ClientOptions = {}) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, more);
    socket.on("error", () => {});
    t.after(() => socket.terminate());
    return socket;
  };
  return { ...server, port, connect };
}

const opened = (socket: WebSocket) => settles("the WebSocket opens", once(socket, "open"));

async function messageOf(socket: WebSocket): Promise<string> {
  const [data] = await settles("a message arrives", once(socket, "message"));
  return String(data);
}

async function closeOf(socket: WebSocket): Promise<{ code: number; reason: string }> {
  const [code, reason] = (await settles("the WebSocket closes", once(socket, "close"))) as [number, Buffer];
  return { code, reason: reason.toString() };
}

/** The status and body of the HTTP response to a refused handshake. */
async function refusalOf(socket: WebSocket) {
  const [, response] = await settles("the handshake is refused", once(socket, "unexpected-response"));
  const body = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, headers: response.headers, body };
}

const handshake = ["Connection: Upgrade", "Upgrade: websocket"];
const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

const echo = (router: RootRouter) =>
  router.upgrade("/rooms/{room}", (e, socket) => {
    socket.on("message", (data) => socket.send(`${e.pathValue("room")}: ${data}`));
  });

test("a WebSocket sends and receives messages, and knows its path values", async (t) => {
  const { connect, facts } = await createServer(t, echo);
  const socket = connect("/rooms/a%20b?x=1");
  const upgrade = once(socket, "upgrade");
  await opened(socket);
  const [response] = await upgrade;
  socket.send("hello");
  assert.equal(await messageOf(socket), "a b: hello");
  const { statusCode, route, traceId, aborted, path } = await facts.find();
  assert.deepEqual([statusCode, route, aborted, path], [101, "/rooms/{room}", false, "/rooms/a%20b"]);
  assert.equal(response.headers["x-trace-id"], traceId);
  assert.equal(facts.items.length, 1);
});

test("middleware runs before the handshake, sets headers and can refuse the connection", async (t) => {
  const { connect, facts } = await createServer(t, (router) => {
    router.bindFunc(async (e) => {
      e.setHeader("Set-Cookie", ["a=1", "b=2"]);
      if (e.query("token") !== "good") throw e.error(401, "Who are you?");
      e.auth = { id: "ann" };
      await e.next();
    });
    router.upgrade("/me", (e, socket) => socket.send(String(e.auth?.id)));
  });
  const refused = connect("/me?token=bad");
  const { status, body, headers } = await refusalOf(refused);
  assert.deepEqual([status, headers.connection, JSON.parse(body).message], [401, "close", "Who are you?"]);
  assert.equal((await facts.find()).statusCode, 401);
  const socket = connect("/me?token=good");
  const upgrade = once(socket, "upgrade");
  assert.equal(await messageOf(socket), "ann");
  const [response] = await upgrade;
  assert.deepEqual(response.headers["set-cookie"], ["a=1", "b=2"]);
});

test("authentication runs before the handshake", async (t) => {
  const { connect, listener } = await createServer(t, (router) =>
    router.upgrade("/me", (e, socket) => socket.send(String(e.auth?.id))),
  );
  listener.identifyWith(async (e) => ({ id: e.header("x-user")! }));
  assert.equal(await messageOf(connect("/me", { headers: { "x-user": "bob" } })), "bob");
});

test("a response of middleware refuses the connection", async (t) => {
  const { connect } = await createServer(t, (router) => {
    router.upgrade("/x", () => {}).bindFunc((e) => e.json(429, { wait: true }));
  });
  const { status, body } = await refusalOf(connect("/x"));
  assert.deepEqual([status, body], [429, '{"wait":true}']);
});

const origins: { name: string; origin?: string; host?: string; allowed: boolean; options?: object }[] = [
  { name: "no origin", allowed: true },
  { name: "the server's own origin", origin: "http://example.com", host: "example.com", allowed: true },
  {
    name: "its own origin with TLS at a proxy",
    origin: "https://example.com",
    host: "example.com",
    allowed: true,
  },
  { name: "another site", origin: "https://evil.example", host: "example.com", allowed: false },
  { name: "another port", origin: "http://example.com:81", host: "example.com", allowed: false },
  { name: "a sandboxed page", origin: "null", host: "example.com", allowed: false },
  {
    name: "a listed origin",
    origin: "https://app.example",
    allowed: true,
    options: { origins: ["https://app.example"] },
  },
  {
    name: "an origin that is not listed",
    origin: "https://app.example.evil",
    allowed: false,
    options: { origins: ["https://app.example"] },
  },
  {
    name: "any origin if all are allowed",
    origin: "https://x.example",
    allowed: true,
    options: { origins: "*" },
  },
];

for (const { name, origin, host, allowed, options } of origins) {
  test(`a handshake from ${name} is ${allowed ? "accepted" : "refused"}`, async (t) => {
    const { connect } = await createServer(t, (router) =>
      router.upgrade("/x", (_, socket) => socket.send("hi"), options),
    );
    const socket = connect("/x", { headers: { ...(origin && { origin }), ...(host && { host }) } });
    if (allowed) assert.equal(await messageOf(socket), "hi");
    else {
      const { status, body } = await refusalOf(socket);
      assert.deepEqual(
        [status, JSON.parse(body).message],
        [403, `Pages of ${origin} cannot open this WebSocket.`],
      );
    }
  });
}

test("a handshake for an unknown path gets 404, and for an ordinary route its response", async (t) => {
  const { connect } = await createServer(t, (router) => {
    echo(router);
    router.get("/page", (e) => e.text(200, "page"));
  });
  const unknown = await refusalOf(connect("/nope"));
  assert.deepEqual([unknown.status, JSON.parse(unknown.body).message], [404, "No route matches GET /nope."]);
  const page = await refusalOf(connect("/page"));
  assert.deepEqual([page.status, page.body], [200, "page"]);
});

test("a handshake on a server without WebSockets gets 404", async (t) => {
  const { connect } = await createServer(t, () => {});
  assert.equal((await refusalOf(connect("/nope"))).status, 404);
});

test("a plain request to a WebSocket path gets 426", async (t) => {
  const { inject } = await createServer(t, echo);
  const { status, headers } = await inject("/rooms/a");
  assert.deepEqual([status, headers.upgrade], [426, "websocket"]);
  assert.equal((await inject({ method: "POST", url: "/rooms/a" })).status, 404);
});

test("a plain request to a WebSocket path ends its connection if the client asks for it", async (t) => {
  const { port } = await createServer(t, echo);
  const wire = await Wire.connect(t, port);
  wire.request(get("/rooms/a", "Connection: close"));
  const { status, headers } = await wire.response();
  assert.deepEqual([status, headers.get("connection")], [426, "Upgrade, close"]);
  await settles("the connection ends", wire.closed);
});

test("a path can have a page and a WebSocket", async (t) => {
  const { connect, inject } = await createServer(t, (router) => {
    router.get("/x", (e) => e.text(200, "page"));
    router.upgrade("/x", (_, socket) => socket.send("socket"));
  });
  assert.equal((await inject("/x")).body, "page");
  assert.equal(await messageOf(connect("/x")), "socket");
});

for (const node of ["this version of Node", "versions before 24.9"]) {
  test(`an upgrade to another protocol is ignored, by ${node}`, async (t) => {
    const { port, listener, facts } = await createServer(t, (router) => {
      echo(router);
      router.post("/x", async (e) => e.text(200, await e.readText()));
    });
    // Older versions hand over the connections of all upgrade requests.
    if (node !== "this version of Node")
      Object.assign(listener.server, { shouldUpgradeCallback: () => true });
    const wire = await Wire.connect(t, port);
    const head = [
      "POST /x HTTP/1.1",
      "Host: localhost",
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
    ];
    const settings = "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA";
    for (const text of ["first", "a second request on the same connection"]) {
      wire.request([...head, settings, `Content-Length: ${text.length}`], text);
      const { status, body } = await wire.response();
      assert.deepEqual([status, body], [200, text]);
    }
    // The rest of a body can arrive later.
    wire.request([...head, "X-Name: é", "Content-Length: 8"], "half");
    await until("the request arrives", () => listener.observer.inFlight === 1);
    wire.send("half");
    assert.equal((await wire.response()).body, "halfhalf");
    wire.request(get("/nope", ...handshake));
    assert.equal((await wire.response()).status, 404);
    assert.deepEqual(
      facts.items.map(({ statusCode }) => statusCode),
      [200, 200, 200, 404],
    );
    assert.equal(listener.connections, 1);
  });
}

for (const [name, lines] of Object.entries({
  "without a key": [...handshake, "Sec-WebSocket-Version: 13"],
  "with a short key": [...handshake, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: abc"],
  "without a version": [...handshake, key],
  "with an old version": [...handshake, key, "Sec-WebSocket-Version: 7"],
  "with a malformed protocol": [
    ...handshake,
    key,
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: a b",
  ],
})) {
  test(`a handshake ${name} gets 400`, async (t) => {
    const { port, facts, listener } = await createServer(t, echo);
    const wire = await Wire.connect(t, port);
    wire.request(get("/rooms/a", ...lines));
    const { status, headers, ...response } = await wire.response();
    assert.deepEqual([status, headers.get("sec-websocket-version")], [400, "13"]);
    assert.match(response.json().message, /^Invalid WebSocket handshake: /);
    assert.equal((await facts.find()).statusCode, 400);
    await settles("the connection ends", wire.closed);
    assert.equal(listener.observer.inFlight, 0);
  });
}

test("a handshake behind an unfinished request on the same connection does not become a WebSocket", async (t) => {
  const released = Promise.withResolvers<void>();
  const { port } = await createServer(t, (router) => {
    echo(router);
    router.get("/slow", async (e) => {
      await released.promise;
      return e.text(200, "slow");
    });
  });
  const wire = await Wire.connect(t, port);
  wire.request(get("/slow"));
  wire.request(get("/rooms/a", ...handshake, key, "Sec-WebSocket-Version: 13"));
  wire.request(get("/rooms/a"));
  released.resolve();
  assert.equal((await wire.response()).body, "slow");
  assert.equal((await wire.response()).status, 426);
});

test("an open WebSocket is not a request in flight, and its signal aborts when it closes", async (t) => {
  const handled = Promise.withResolvers<RequestEvent>();
  const { connect, listener } = await createServer(t, (router) =>
    router.upgrade("/x", (e) => handled.resolve(e)),
  );
  const socket = connect("/x");
  await opened(socket);
  const { signal } = await handled.promise;
  assert.deepEqual([listener.observer.inFlight, listener.openRequests().count], [0, 0]);
  assert.equal(signal.aborted, false);
  socket.close();
  await until("the signal aborts", () => signal.aborted);
  assert.equal(signal.reason.code, "CLIENT_DISCONNECTED");
});

const failing: { name: string; run: (socket: WebSocket) => unknown }[] = [
  { name: "throws", run: () => assert.fail("boom") },
  { name: "rejects", run: async () => assert.fail("boom") },
  { name: "throws in a listener", run: (socket) => socket.on("message", () => assert.fail("boom")) },
];

for (const { name, run } of failing) {
  test(`a handler that ${name} closes the connection with 1011 and is reported with its trace`, async (t) => {
    const { connect, failures, facts } = await createServer(t, (router) =>
      router.upgrade("/x/{id}", (_, socket) => run(socket)),
    );
    const socket = connect("/x/1");
    const closed = closeOf(socket);
    await opened(socket);
    socket.send("hi");
    assert.deepEqual(await closed, { code: 1011, reason: "Internal server error" });
    const { message, traceId, route, path } = await failures.find();
    assert.deepEqual(
      [message, route?.pattern.text, path],
      ["Failed to handle a WebSocket", "/x/{id}", "/x/1"],
    );
    assert.equal(traceId, (await facts.find()).traceId);
  });
}

test("an error for the client closes the connection with 1008 and its message", async (t) => {
  const { connect, failures } = await createServer(t, (router) =>
    router.upgrade("/x", (e, socket) =>
      socket.on("message", () => {
        throw e.error(403, "é".repeat(100));
      }),
    ),
  );
  const socket = connect("/x");
  const closed = closeOf(socket);
  await opened(socket);
  socket.send("hi");
  const { code, reason } = await closed;
  assert.equal(code, 1008);
  assert.match(reason, /^é{60}$/);
  assert.deepEqual(failures.items, []);
});

test("listeners run in the trace context of the request", async (t) => {
  const { connect, facts } = await createServer(t, (router) =>
    router.upgrade("/x", (_, socket) =>
      socket.on("message", () => socket.send(String(traceContext.getStore()?.traceId))),
    ),
  );
  const socket = connect("/x");
  await opened(socket);
  socket.send("hi");
  assert.equal(await messageOf(socket), (await facts.find()).traceId);
});

test("a message over the limit closes the connection with 1009", async (t) => {
  const { connect, failures } = await createServer(
    t,
    (router) => {
      echo(router);
      router.upgrade("/large", (_, socket) => socket.on("message", () => socket.send("got it")), {
        maxMessageBytes: 2_000,
      });
    },
    { limits: { bodyBytes: 1_000 } },
  );
  const socket = connect("/rooms/a");
  await opened(socket);
  socket.send("x".repeat(1_001));
  assert.equal((await closeOf(socket)).code, 1009);
  const large = connect("/large");
  await opened(large);
  large.send("x".repeat(1_001));
  assert.equal(await messageOf(large), "got it");
  assert.deepEqual(failures.items, []);
});

test("a peer that does not respond to pings is disconnected", async (t) => {
  const clock = new FakeClock(0);
  const closed = Promise.withResolvers<number>();
  const { connect } = await createServer(
    t,
    (router) => {
      echo(router);
      router.upgrade("/dead", (_, socket) => socket.on("close", closed.resolve));
    },
    { clock },
  );
  const alive = connect("/rooms/a");
  const dead = connect("/dead", { autoPong: false });
  await Promise.all([opened(alive), opened(dead)]);
  const pinged = Promise.all([once(alive, "ping"), once(dead, "ping")]);
  clock.advance(30_000);
  await settles("both are pinged", pinged);
  // The pong has been received when a later message has been.
  alive.send("still here");
  await messageOf(alive);
  const again = once(alive, "ping");
  clock.advance(30_000);
  assert.equal(await settles("the dead peer is disconnected", closed.promise), 1006);
  await settles("the other one is pinged again", again);
});

test("a stop closes WebSockets with 1001 and does not wait for the grace period", async (t) => {
  const handled = Promise.withResolvers<RequestEvent>();
  const { connect, listener, failures } = await createServer(t, (router) =>
    router.upgrade("/x", async (e) => {
      handled.resolve(e);
      await once(e.signal, "abort");
      throw e.signal.reason;
    }),
  );
  const socket = connect("/x");
  const closed = closeOf(socket);
  await opened(socket);
  const { signal } = await handled.promise;
  const stopped = listener.close(600_000);
  assert.equal(signal.reason.code, "SERVER_STOPPING");
  assert.deepEqual(await closed, { code: 1001, reason: "The server is shutting down" });
  await settles("the listener closes", stopped);
  assert.deepEqual(failures.items, []);
});

test("a stop does not wait for a peer that does not close its side", async (t) => {
  const { port, listener } = await createServer(t, echo);
  const wire = await Wire.connect(t, port);
  wire.request(get("/rooms/a", ...handshake, key, "Sec-WebSocket-Version: 13"));
  assert.equal((await wire.response()).status, 101);
  await settles("the listener closes", listener.close(600_000));
});

test("a handshake during a shutdown gets 503", async (t) => {
  const { connect, listener } = await createServer(t, echo);
  listener.drain();
  assert.equal((await refusalOf(connect("/rooms/a"))).status, 503);
});

test("a client that disconnects during authentication harms nothing", async (t) => {
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let handled = 0;
  const { port, listener, facts } = await createServer(t, (router) => {
    router
      .upgrade("/x", () => void handled++)
      .bindFunc(async (e) => {
        entered.resolve();
        await released.promise;
        await e.next();
      });
  });
  const wire = await Wire.connect(t, port);
  wire.request(get("/x", ...handshake, key, "Sec-WebSocket-Version: 13"));
  await entered.promise;
  wire.socket.resetAndDestroy();
  assert.equal((await facts.find()).statusCode, 499);
  released.resolve();
  await until("no request is in flight", () => listener.observer.inFlight === 0);
  assert.equal(handled, 0);
});

test("a WebSocket is registered like a route", async (t) => {
  await createListener(t, (router, listener) => {
    const register = (path: string, options?: object) => () => router.upgrade(path, () => {}, options);
    listener.routes.reserve("/_", "Annex");
    register("/x/{a}")();
    assert.throws(register("/x/{b}"), RouteError);
    assert.throws(register("/_/x"), /reserved for Annex/);
    assert.throws(register("/y/:id"), /write \{id\}/);
    assert.throws(
      register("/y", { origins: ["https://example.com/"] }),
      /Invalid origins of the WebSocket \/y/,
    );
    assert.throws(register("/y", { origins: "https://example.com" }), /Invalid origins/);
    assert.throws(register("/y", { maxMessageBytes: 0 }), /Invalid maxMessageBytes/);
    assert.throws(() => router.upgrade("/y", undefined as never), /must be a function/);
  });
});

test("a refused handshake does not leave its connection open", async (t) => {
  const { port, listener } = await createServer(t, (router) => {
    router.upgrade("/x", () => {}).bindFunc((e) => e.text(403, "no"));
  });
  const outgoing = request({ port, path: "/x", headers: { connection: "upgrade", upgrade: "websocket" } });
  const [response] = await settles("the response arrives", once(outgoing.end(), "response"));
  response.resume();
  await until("the connection is closed", () => listener.connections === 0);
});
