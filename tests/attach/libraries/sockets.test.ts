/** socket.io and ws on the same server as Annex, attached before and after it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, describe, it, type TestContext } from "node:test";
import express from "express";
import { Server as SocketServer } from "socket.io";
import { io } from "socket.io-client";
import { WebSocket, WebSocketServer } from "ws";
import { get, Wire } from "../../../src/http/testing/wire.ts";
import type { Cleanup } from "../../../src/lib/testing/share.ts";
import { settles } from "../../../src/lib/testing/until.ts";
import { createAnnex, type Records } from "../hosts/attached.ts";
import { closed, listening, portOf } from "../hosts/host.ts";

interface Sides {
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  readonly records: Records;
}

type AddLibrary = (t: Cleanup, server: Server) => void;

interface Way {
  /** Whether the library is added before Annex. */
  readonly isFirst: boolean;
  /** Whether Annex gets the server instead of the application. */
  readonly onServer: boolean;
  /** Whether Annex has a route for WebSockets of its own. */
  readonly hasUpgrades: boolean;
}

/** An Express application with a library for sockets, and Annex. */
async function start(t: Cleanup, way: Way, addLibrary: AddLibrary): Promise<Sides> {
  const { isFirst, onServer, hasUpgrades } = way;
  const app = express();
  app.get("/json", (_request, response) => void response.json({ hello: "world" }));
  app.post("/echo", (request, response) => void request.pipe(response));
  app.get("/throw", () => {
    throw new Error("thrown");
  });
  const server = createServer(app);
  const { annex, records } = createAnnex(t);
  if (hasUpgrades) {
    annex.onServe((e) => {
      e.router.upgrade("/annex-echo", (_e, socket) => {
        socket.on("message", (data) => void socket.send(`annex: ${data}`));
      });
      return e.next();
    });
  }
  t.after(() => closed(server));
  if (isFirst) addLibrary(t, server);
  // Without the option, Annex finds the server with the first request.
  await annex.attach(onServer ? server : app, onServer || !isFirst ? {} : { server });
  if (!isFirst) addLibrary(t, server);
  const port = portOf(await listening(server.listen(0)));
  return { server, port, url: `http://127.0.0.1:${port}`, records };
}

const ways: (Way & { name: string })[] = [true, false].flatMap((isFirst) =>
  [true, false].map((onServer) => ({
    isFirst,
    onServer,
    hasUpgrades: true,
    name: `${isFirst ? "before" : "after"} Annex on the ${onServer ? "server" : "application"}`,
  })),
);

/** Creates the sides of a suite, and checks what they have in common. */
function setUp(way: Way, addLibrary: AddLibrary): () => Sides {
  const ends: (() => unknown)[] = [];
  let sides: Sides;
  before(async () => {
    sides = await start({ after: (end) => void ends.unshift(end) }, way, addLibrary);
  });
  after(async () => {
    for (const end of ends) await end();
  });

  it("observes the requests of the application, and serves the paths of Annex", async () => {
    const response = await fetch(`${sides.url}/json`);
    assert.deepEqual(await response.json(), { hello: "world" });
    const record = await sides.records.trace(response.headers.get("x-trace-id"));
    assert.deepEqual([record.route, record.status], ["/json", 200]);
    const health = await fetch(`${sides.url}/api/health`);
    assert.equal(health.status, 200);
    assert.equal(((await health.json()) as { status: string }).status, "healthy");
  });

  it("records the errors of the application", async () => {
    const response = await fetch(`${sides.url}/throw`);
    assert.equal(response.status, 500);
    const record = await sides.records.trace(response.headers.get("x-trace-id"));
    const errors = sides.records.errors.filter(({ traceId }) => traceId === record.traceId);
    assert.deepEqual(
      errors.map(({ error, route }) => [(error as Error).message, route]),
      [["thrown", "/throw"]],
    );
  });

  if (way.hasUpgrades) {
    it("serves a WebSocket of Annex", async (t: TestContext) => {
      if (!way.onServer && !way.isFirst) await fetch(`${sides.url}/json`);
      assert.equal(await echo(t, `${sides.url}/annex-echo`), "annex: hello");
    });
  }
  return () => sides;
}

/** Sends "hello" to a WebSocket and returns the response. */
async function echo(t: TestContext, url: string): Promise<string> {
  const socket = new WebSocket(url.replace("http", "ws"));
  t.after(() => socket.terminate());
  await settles("the WebSocket opens", once(socket, "open"));
  socket.send("hello");
  const [data] = await settles("the WebSocket responds", once(socket, "message"));
  return String(data);
}

function addSocketServer(t: Cleanup, server: Server): void {
  const sockets = new SocketServer(server);
  sockets.on("connection", (socket) => {
    socket.on("question", (text: string, respond: (text: string) => void) => respond(`socket.io: ${text}`));
  });
  t.after(() => sockets.disconnectSockets(true));
}

for (const way of ways) {
  describe(`socket.io ${way.name}`, () => {
    const sides = setUp(way, addSocketServer);

    for (const transport of ["polling", "websocket"]) {
      it(`works with the transport ${transport}`, async (t: TestContext) => {
        const client = io(sides().url, { transports: [transport], reconnection: false });
        t.after(() => client.disconnect());
        const response = await settles("socket.io responds", client.emitWithAck("question", "hello"));
        assert.equal(response, "socket.io: hello");
        assert.equal(client.io.engine.transport.name, transport);
      });
    }

    it(`is ${way.onServer ? "" : "not "}observed while it polls`, async () => {
      const response = await fetch(`${sides().url}/socket.io/?EIO=4&transport=polling`);
      assert.equal(response.status, 200);
      await response.text();
      assert.equal(response.headers.has("x-trace-id"), way.onServer);
    });
  });
}

/** With a `path`, ws destroys no connections for other paths, but responds with 400. */
function addWebSocketServer(t: Cleanup, server: Server): void {
  const sockets = new WebSocketServer({ server, path: "/ws-echo" });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(`ws: ${data}`)));
  t.after(() => {
    for (const client of sockets.clients) client.terminate();
  });
}

const handshake = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** The response to a handshake for a path. */
async function shake(t: TestContext, port: number, path: string) {
  const wire = await Wire.connect(t, port);
  wire.request(get(path, ...handshake));
  return wire.response();
}

for (const way of ways.filter(({ isFirst, onServer }) => isFirst !== onServer)) {
  describe(`ws ${way.name}`, () => {
    const sides = setUp(way, addWebSocketServer);

    it("works", async (t: TestContext) => {
      assert.equal(await echo(t, `${sides().url}/ws-echo`), "ws: hello");
    });

    it("decides about handshakes for other paths", async (t: TestContext) => {
      const { status, body } = await shake(t, sides().port, "/unknown");
      assert.deepEqual([status, body], [400, "Bad Request"]);
    });
  });
}

for (const hasUpgrades of [true, false]) {
  describe(`handshakes without a library, ${hasUpgrades ? "with" : "without"} WebSockets of Annex`, () => {
    const sides = setUp({ isFirst: true, onServer: true, hasUpgrades }, () => {});

    it("are normal requests, as in Node", async (t: TestContext) => {
      const { port, records } = sides();
      const { status, body, headers } = await shake(t, port, "/json");
      assert.deepEqual([status, body], [200, '{"hello":"world"}']);
      const record = await records.trace(headers.get("x-trace-id")!);
      assert.equal(record.route, "/json");
      assert.equal((await shake(t, port, "/unknown")).status, 404);
    });

    it("keep their connection and their body", async (t: TestContext) => {
      const { port, records } = sides();
      const wire = await Wire.connect(t, port);
      const upgrade = [
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
      ];
      for (const text of ["first", "second"]) {
        wire.request(
          ["POST /echo HTTP/1.1", "Host: localhost", `Content-Length: ${text.length}`, ...upgrade],
          text,
        );
        const { status, body, headers } = await wire.response();
        assert.deepEqual([status, body], [200, text]);
        assert.equal((await records.trace(headers.get("x-trace-id")!)).route, "/echo");
      }
    });
  });
}

it("WebSockets of Annex do not keep the server of the application from closing", async (t) => {
  const { server, url } = await start(t, { isFirst: true, onServer: true, hasUpgrades: true }, () => {});
  const socket = new WebSocket(`${url.replace("http", "ws")}/annex-echo`);
  t.after(() => socket.terminate());
  await settles("the WebSocket opens", once(socket, "open"));
  const ended = once(socket, "close");
  const done = once(server, "close");
  server.close();
  const [code] = await settles("the WebSocket ends", ended);
  assert.equal(code, 1001, "the server is going away");
  await settles("the server closes", done);
});
