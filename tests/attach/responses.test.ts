import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import express from "express";
import { get, Wire } from "../../src/http/testing/wire.ts";
import { type Cleanup, share } from "../../src/lib/testing/share.ts";
import { createAnnex } from "./hosts/attached.ts";
import { closed, listening, portOf } from "./hosts/host.ts";

/** A server with Annex attached, whose handler each test sets. */
async function createHost(t: Cleanup) {
  const host = { handle: (() => {}) as RequestListener };
  const server = createServer((request, response) => host.handle(request, response));
  const { annex, records } = createAnnex(t);
  annex.onServe(({ router }) => void router.upgrade("/ws", () => {}));
  t.after(() => closed(server));
  await annex.attach(server);
  const port = portOf(await listening(server.listen(0)));
  return { host, server, annex, records, port };
}

describe("a response of another server", () => {
  const shared = share(createHost);

  async function respondWith(t: TestContext, handle: RequestListener, lines = get("/x")) {
    const { host, port, records } = await shared();
    host.handle = handle;
    const wire = await Wire.connect(t, port);
    wire.request(lines);
    const response = await wire.response({ withoutBody: lines[0]!.startsWith("HEAD") });
    const trace = response.headers.get("x-trace-id") ?? "";
    assert.match(trace, /^[A-Za-z0-9]{18}$/, "the response has one trace ID");
    return { response, record: await records.trace(trace), wire };
  }

  const type = "text/x-own";
  const forms: [string, unknown[]][] = [
    ["a status", [203]],
    ["a message", [203, "Mine"]],
    ["an object", [203, { "content-type": type }]],
    ["a message and an object", [203, "Mine", { "Content-Type": type }]],
    ["no message and an object", [203, undefined, { "Content-Type": type }]],
    ["null and an object", [203, null, { "Content-Type": type }]],
    ["two objects, of which Node uses the second", [203, { "X-First": "1" }, { "Content-Type": type }]],
    ["a flat list", [203, ["Content-Type", type]]],
    ["a message and a flat list", [203, "Mine", ["Content-Type", type]]],
    ["no message and a flat list", [203, undefined, ["Content-Type", type]]],
    ["pairs", [203, [["Content-Type", type]]]],
    ["an own trace ID", [203, { "X-TRACE-ID": "mine", "Content-Type": type }]],
    ["an own trace ID in a list", [203, ["x-trace-id", "mine", "Content-Type", type]]],
    ["an object without a prototype", [203, Object.assign(Object.create(null), { "Content-Type": type })]],
  ];
  for (const [name, args] of forms) {
    for (const isSet of [false, true]) {
      // Node does not accept pairs then.
      if (isSet && name === "pairs") continue;
      it(`can be begun with ${name}${isSet ? ", after setHeader" : ""}`, async (t) => {
        const { response, record } = await respondWith(t, (_request, reply) => {
          if (isSet) reply.setHeader("X-Trace-ID", "mine");
          if (isSet) reply.setHeader("X-Set", "1");
          (reply.writeHead as (...all: unknown[]) => ServerResponse)(...args).end("body");
        });
        assert.deepEqual([response.status, response.body], [203, "body"]);
        assert.equal(response.headers.get("x-set"), isSet ? "1" : undefined);
        assert.equal(response.headers.has("x-first"), false);
        const expected = JSON.stringify(args).includes(type) ? type : undefined;
        assert.equal(response.headers.get("content-type"), expected);
        assert.deepEqual([record.status, record.bytes, record.contentType], [203, 4, expected]);
      });
    }
  }

  const illegal: [string, unknown[]][] = [
    ["a status that is not one", [99]],
    ["a list of odd length", [200, ["a"]]],
    ["a value with a line break", [200, { "Content-Type": type, a: "b\r\nc: d" }]],
    ["a message with a line break", [200, "a\r\nb"]],
  ];
  for (const [name, args] of illegal) {
    it(`throws what Node throws for ${name}`, async (t) => {
      const codes: (string | undefined)[] = [];
      const tryIllegal = (reply: ServerResponse) => {
        try {
          (reply.writeHead as (...all: unknown[]) => unknown)(...args);
        } catch (error) {
          codes.push((error as NodeJS.ErrnoException).code);
        }
      };
      const bare = createServer((_request, reply) => {
        tryIllegal(reply);
        reply.writeHead(500, "Failed").end();
      });
      t.after(() => closed(bare));
      await listening(bare.listen(0));
      await fetch(`http://127.0.0.1:${portOf(bare)}`);
      const { record } = await respondWith(t, (_request, reply) => {
        tryIllegal(reply);
        reply.setHeader("Content-Type", "text/plain");
        reply.writeHead(500, "Failed").end("failed");
      });
      assert.deepEqual([record.status, record.bytes, record.contentType], [500, 6, "text/plain"]);
      assert.equal(codes.length, 2);
      assert.equal(codes[1], codes[0]);
    });
  }

  it("can be begun only once", async (t) => {
    const thrown: unknown[] = [];
    const { record } = await respondWith(t, (_request, reply) => {
      reply.writeHead(201).write("a");
      for (const again of [
        () => reply.writeHead(200),
        () => reply.end("b").end("c"),
        () => reply.writeHead(200),
      ]) {
        try {
          again();
        } catch (error) {
          thrown.push((error as NodeJS.ErrnoException).code);
        }
      }
      reply.on("error", () => {});
      reply.write("after the end");
    });
    assert.deepEqual(thrown, ["ERR_HTTP_HEADERS_SENT", "ERR_HTTP_HEADERS_SENT"]);
    assert.deepEqual([record.status, record.bytes], [201, 2]);
  });

  it("counts no bytes of a body that Node does not send", async (t) => {
    for (const status of [204, 304]) {
      const { record } = await respondWith(t, (_request, reply) => void reply.writeHead(status).end("body"));
      assert.deepEqual([record.status, record.bytes], [status, 0]);
    }
    const lines = ["HEAD /x HTTP/1.1", "Host: localhost"];
    const { record } = await respondWith(t, (_request, reply) => void reply.end("body"), lines);
    assert.equal(record.bytes, 0);
  });

  it("is observed with HTTP/1.0 and after informational responses", async (t) => {
    const { response, record } = await respondWith(
      t,
      (_request, reply) => {
        reply.write("one");
        reply.end("two");
      },
      ["GET /x HTTP/1.0"],
    );
    assert.deepEqual([response.body, record.bytes, record.status], ["onetwo", 6, 200]);
    const { host, port, records } = await shared();
    host.handle = (_request, reply) => {
      reply.writeProcessing();
      reply.writeEarlyHints({ link: "</a.css>; rel=preload" });
      reply.writeHead(202).end("x");
    };
    const wire = await Wire.connect(t, port);
    wire.request(get("/x"));
    const statuses = [];
    let last = await wire.response();
    for (; last.status < 200; last = await wire.response()) statuses.push(last.status);
    assert.deepEqual(statuses, [102, 103]);
    assert.equal((await records.trace(last.headers.get("x-trace-id")!)).status, 202);
  });

  const abandoned: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
    ["response.destroy()", (_request, response) => void response.destroy()],
    ["request.destroy()", (request) => void request.destroy()],
    ["socket.destroy()", (request) => void request.socket.destroy()],
    ["socket.end()", (request) => void request.socket.end()],
    [
      "removeAllListeners()",
      (request, response) => {
        response.removeAllListeners();
        request.socket.destroy();
      },
    ],
    [
      "detachSocket()",
      (request, response) => {
        response.detachSocket(request.socket);
        request.socket.destroy();
      },
    ],
    [
      "an error in the middle of a body",
      (request, response) => {
        response.write("part");
        request.socket.destroy();
      },
    ],
  ];
  for (const [index, [name, abandon]] of abandoned.entries()) {
    it(`is recorded after ${name}`, async (t) => {
      const { host, port, records } = await shared();
      host.handle = abandon;
      const wire = await Wire.connect(t, port);
      wire.request(get(`/abandoned/${index}`));
      wire.socket.resume();
      wire.socket.on("end", () => wire.socket.destroy());
      assert.equal((await records.request(`/abandoned/${index}`)).status, 499);
    });
  }
});

describe("a request to another server", () => {
  const shared = share(createHost);

  it("for Annex gets no 100 Continue after the response", async (t) => {
    const { server, port } = await shared();
    const onContinue: RequestListener = (_request, response) => void response.writeContinue();
    server.on("checkContinue", onContinue);
    t.after(() => server.off("checkContinue", onContinue));
    const wire = await Wire.connect(t, port);
    wire.request([
      "POST /_/_/nothing HTTP/1.1",
      "Host: localhost",
      "Content-Length: 2",
      "Expect: 100-continue",
    ]);
    const response = await wire.response();
    assert.equal(response.status, 405);
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/health`)).status, 200);
  });

  for (const [target, status] of [
    ["/_/_", 302],
    ["/%5F/_", 302],
    ["http://other/_/_", 302],
    ["/_/_;x", 404],
    ["/api/cron/jobs", 401],
    ["/api/cron/%6aobs", 401],
    ["/api/cron/jobs/", 401],
    ["http://other/api/cron/jobs", 401],
  ] as const) {
    it(`is for Annex, with its checks, if the target is ${target}`, async (t) => {
      const { host, port } = await shared();
      host.handle = (_request, response) => void response.end("the application");
      const wire = await Wire.connect(t, port);
      wire.request(get(target));
      assert.equal((await wire.response()).status, status);
    });
  }

  for (const target of [
    ...["//_/_", "/x/../_/_", "/_/../x", "/_/%2e%2e/x", "/_%2F_", "/_\\_", "/_/%", "/_/%00", "/_/_#x", "/_x"],
    ...["*", "/API/health", "/api//health", "/api/cron%2fjobs", `/${"a".repeat(8_000)}`],
  ]) {
    it(`is for the application if the target is ${target.slice(0, 20)}`, async (t) => {
      const { host, port } = await shared();
      host.handle = (_request, response) => void response.end("the application");
      const wire = await Wire.connect(t, port);
      wire.request(get(target));
      const { status, body } = await wire.response();
      assert.deepEqual([status, body], [200, "the application"]);
    });
  }

  const handshake = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  for (const [name, first, path] of [
    ["Node itself responds to", "GET /x HTTP/1.1\r\n\r\n", "/ws"],
    ["is being handled", "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n", "/ws"],
    ["is being handled, to the application", "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n", "/other"],
  ] as const) {
    it(`for a WebSocket ends the connection after one that ${name}`, async (t) => {
      const { host, port } = await shared();
      host.handle = () => {};
      const errors: unknown[] = [];
      const onError = (error: unknown) => void errors.push(error);
      process.on("uncaughtExceptionMonitor", onError);
      t.after(() => process.off("uncaughtExceptionMonitor", onError));
      const wire = await Wire.connect(t, port);
      wire.send(`${first}${get(path, ...handshake, key).join("\r\n")}\r\n\r\n`);
      assert.doesNotMatch(await wire.rest(), /101 Switching/);
      assert.deepEqual(errors, []);
      assert.equal((await fetch(`http://127.0.0.1:${port}/api/health`)).status, 200);
    });
  }

  it("that is passed on after its client has disconnected is recorded as 499", async (t) => {
    const { annex, records } = createAnnex(t);
    const app = express().get("/late", () => {});
    const arrived = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      arrived.resolve();
      // Until then, the application could have waited for something else.
      request.socket.once("close", () => setImmediate(() => app(request, response)));
    });
    t.after(() => closed(server));
    await annex.attach(app);
    const wire = await Wire.connect(t, portOf(await listening(server.listen(0))));
    wire.request(get("/late"));
    await arrived.promise;
    wire.socket.destroy();
    assert.equal((await records.request("/late")).status, 499);
  });

  it("does not give its trace ID to what comes later on its connection", async (t) => {
    const { host, server, annex, port } = await shared();
    const seen: (string | undefined)[] = [];
    host.handle = (_request, response) => void response.end(annex.traceId());
    const onUpgrade = (_request: IncomingMessage, socket: Duplex) => {
      seen.push(annex.traceId());
      socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    };
    server.on("upgrade", onUpgrade);
    t.after(() => server.off("upgrade", onUpgrade));
    const wire = await Wire.connect(t, port);
    for (const path of ["/api/health", "/x", "/api/health"]) {
      wire.request(get(path));
      const response = await wire.response();
      if (path === "/x") assert.equal(response.body, response.headers.get("x-trace-id"));
    }
    wire.request(get("/socket", "Connection: Upgrade", "Upgrade: other"));
    assert.equal((await wire.response()).status, 400);
    assert.deepEqual(seen, [undefined]);
  });
});
