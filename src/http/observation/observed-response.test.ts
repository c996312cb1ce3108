import assert from "node:assert/strict";
import { once } from "node:events";
import { Readable } from "node:stream";
import { defineError } from "../../lib/errors/errors.ts";
import type { Client, InjectRequest, RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

const traceId = /^[A-Za-z0-9]{18}$/;

test("the trace ID is in the request, in the response and in the finished request", async (t) => {
  let request: RequestEvent["request"] | undefined;
  const { inject, facts } = await createListener(t, (router) => {
    router.get("/x", (e) => {
      request = e.request;
      return e.json(200, [
        e.traceId,
        e.header("x-trace-id"),
        e.request.headers["x-trace-id"],
        e.request.headersDistinct["x-trace-id"],
      ]);
    });
  });
  const response = await inject("/x");
  const id = response.headers["x-trace-id"];
  assert.match(String(id), traceId);
  assert.deepEqual(response.json(), [id, id, id, [id]]);
  assert.equal((await facts.find()).traceId, id);
  assert.equal(request?.headers["x-trace-id"], id);
});

test("an incoming trace ID is overwritten", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/x", (e) =>
      e.json(200, [e.header("x-trace-id"), ...(e.request.headersDistinct["x-trace-id"] ?? [])]),
    );
  });
  const theirs = "A".repeat(18);
  const response = await inject({ url: "/x", headers: { "X-Trace-ID": [theirs, theirs] } });
  const id = response.headers["x-trace-id"];
  assert.match(String(id), traceId);
  assert.notEqual(id, theirs);
  assert.deepEqual(response.json(), [id, id]);
});

const responses: {
  name: string;
  request: string | InjectRequest;
  status: number;
  handler: (e: RequestEvent) => unknown;
}[] = [
  { name: "e.json", request: "/x", status: 200, handler: (e) => e.json(200, {}) },
  { name: "nothing found", request: "/nothing", status: 404, handler: () => {} },
  { name: "a method not allowed", request: { method: "POST", url: "/x" }, status: 405, handler: () => {} },
  { name: "OPTIONS", request: { method: "OPTIONS", url: "/x" }, status: 204, handler: () => {} },
  { name: "a path that is refused", request: "/%zz", status: 400, handler: () => {} },
  { name: "a path that is refused later", request: "/a/../b", status: 400, handler: () => {} },
  {
    name: "an expectation",
    request: { url: "/x", headers: { expect: "miracles" } },
    status: 417,
    handler: () => {},
  },
  { name: "a failure", request: "/x", status: 500, handler: () => Promise.reject(new Error("boom")) },
  { name: "a redirect", request: "/x", status: 302, handler: (e) => e.redirect(302, "/") },
  { name: "no content", request: "/x", status: 204, handler: (e) => e.noContent() },
  {
    name: "a stream",
    request: "/x",
    status: 200,
    handler: (e) => e.stream(200, "text/plain", Readable.from(["a"])),
  },
  { name: "a raw end", request: "/x", status: 200, handler: (e) => void e.response.end("x") },
  {
    name: "a raw write",
    request: "/x",
    status: 200,
    handler: (e) => [e.response.write("x"), e.response.end()],
  },
  {
    name: "a raw pipe",
    request: "/x",
    status: 200,
    handler: (e) => void Readable.from(["x"]).pipe(e.response.writeHead(200)),
  },
  {
    name: "a raw head with a trace ID of its own",
    request: "/x",
    status: 200,
    handler: (e) => void e.response.writeHead(200, { "x-trace-id": "theirs" }).end(),
  },
  {
    name: "a raw list of headers with one",
    request: "/x",
    status: 200,
    handler: (e) => void e.response.writeHead(200, ["X-TRACE-ID", "theirs"]).end(),
  },
  {
    name: "a header set with one",
    request: "/x",
    status: 200,
    handler: (e) => {
      e.setHeader("x-trace-id", "theirs");
      return e.text(200, "x");
    },
  },
  {
    name: "a raw header set with one",
    request: "/x",
    status: 200,
    handler: (e) => {
      e.response.setHeader("x-trace-id", "theirs");
      e.response.end();
    },
  },
];

for (const { name, request, status, handler } of responses) {
  test(`the response by ${name} has the trace ID, and is published once`, async (t) => {
    const { inject, facts, listener } = await createListener(t, (router) => router.get("/x", handler));
    const response = await inject(request);
    assert.equal(response.status, status);
    const fact = await facts.find();
    assert.match(fact.traceId, traceId);
    assert.equal(response.headers["x-trace-id"], fact.traceId);
    assert.deepEqual([fact.statusCode, fact.aborted], [status, false]);
    if (status >= 400) assert.equal(response.json<{ trace_id: string }>().trace_id, fact.traceId);
    await new Promise(setImmediate);
    assert.equal(facts.items.length, 1);
    assert.equal(listener.observer.inFlight, 0);
  });
}

test("a finished request contains all details", async (t) => {
  const { inject, facts } = await createListener(t, (router) => {
    router.post("/todos/{id}", (e) => e.text(201, "é"));
  });
  const before = performance.now();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await inject({
    method: "POST",
    url: "/todos/7?secret=1",
    body: "123",
    headers: { "User-Agent": "tester/1", traceparent, "content-type": "text/plain" },
  });
  const { durationMs, traceId: _, ...fact } = await facts.find();
  assert.deepEqual(fact, {
    traceparent,
    method: "POST",
    path: "/todos/7",
    route: "/todos/{id}",
    statusCode: 201,
    contentLength: 3,
    bytesSent: 2,
    aborted: false,
    ip: "127.0.0.1",
    userAgent: "tester/1",
  });
  assert.ok(durationMs > 0 && durationMs <= performance.now() - before);
});

test("a fact of a request without all that says so", async (t) => {
  const { listen, facts } = await createListener(t);
  const wire = await Wire.connect(t, await listen());
  wire.request(["GET / HTTP/1.1", "Host: x"]);
  await wire.response();
  const fact = await facts.find();
  assert.deepEqual(
    [fact.userAgent, fact.contentLength, fact.traceparent, fact.route],
    ["", 0, undefined, undefined],
  );
});

test("the event has the caller's trace context beside the trace ID", async (t) => {
  const { inject } = await createListener(t, (router) =>
    router.get("/x", (e) => e.json(200, e.traceparent ?? null)),
  );
  assert.equal((await inject({ url: "/x", headers: { Traceparent: "00-a-b-01" } })).json(), "00-a-b-01");
  assert.equal((await inject("/x")).json(), null);
});

const bytes: { name: string; handler: (e: RequestEvent) => unknown; sent: number }[] = [
  { name: "of text", handler: (e) => e.text(200, "日本"), sent: 6 },
  { name: "of raw text in another encoding", handler: (e) => void e.response.end("00ff", "hex"), sent: 2 },
  {
    name: "written in pieces",
    handler: (e) => {
      e.response.write("é");
      e.response.write(Buffer.from("abc"));
      e.response.end("AA==", "base64");
    },
    sent: 6,
  },
  {
    name: "of a stream",
    handler: (e) => e.stream(200, "text/plain", Readable.from(["ab", Buffer.from("c")])),
    sent: 3,
  },
  { name: "of nothing, with a callback", handler: (e) => void e.response.end(() => {}), sent: 0 },
];

for (const { name, handler, sent } of bytes) {
  test(`the bytes ${name} are counted`, async (t) => {
    const { inject, facts } = await createListener(t, (router) => router.get("/x", handler));
    assert.equal((await inject("/x")).bytes.byteLength, sent);
    assert.equal((await facts.find()).bytesSent, sent);
  });
}

test("requests over one connection share their client, until the agent changes", async (t) => {
  const clients: Client[] = [];
  const { listen } = await createListener(t, (router, { observer }) => {
    observer.onFinished(({ client }) => clients.push(client));
    router.get("/x", (e) => e.noContent());
  });
  const wire = await Wire.connect(t, await listen());
  for (const agent of ["a", "a", "b"]) {
    wire.request(get("/x", `User-Agent: ${agent}`));
    await wire.response();
  }
  assert.equal(clients[0], clients[1]);
  assert.notEqual(clients[1], clients[2]);
  assert.deepEqual(
    clients.map(({ userAgent }) => userAgent),
    ["a", "a", "b"],
  );
});

test("a client that disconnects before the response is reported as 499, once, with its address", async (t) => {
  const { listen, facts, listener } = await createListener(t, (router) => {
    router.get("/x", async (e) => void (await once(e.response, "close")));
  });
  // An address that nothing falls back to, so that a lost one shows.
  const wire = await Wire.connect(t, await listen(), { localAddress: "127.0.0.2" });
  const arrived = once(listener.server, "request");
  wire.request(get("/x", "User-Agent: gone"));
  await arrived;
  wire.socket.destroy();
  const fact = await facts.find();
  assert.deepEqual(
    [fact.statusCode, fact.aborted, fact.bytesSent, fact.userAgent, fact.route],
    [499, true, 0, "gone", "/x"],
  );
  assert.equal(fact.ip, "127.0.0.2");
  await new Promise(setImmediate);
  assert.equal(facts.items.length, 1);
  assert.equal(listener.observer.inFlight, 0);
});

test("a client that disconnects during the response is reported as 499, with the bytes sent", async (t) => {
  const { listen, facts } = await createListener(t, (router) => {
    router.get("/x", (e) => {
      e.response.writeHead(200);
      e.response.write("half");
    });
  });
  const wire = await Wire.connect(t, await listen());
  wire.request(get("/x"));
  wire.socket.once("data", () => wire.socket.destroy());
  const fact = await facts.find();
  assert.deepEqual([fact.statusCode, fact.aborted, fact.bytesSent], [499, true, 4]);
});

test("pipelined requests get responses in order, each with its own trace ID, and are published separately", async (t) => {
  const { listen, facts, listener } = await createListener(t, (router) => {
    router.get("/{n}", async (e) => {
      // The later a request, the sooner its response is ready.
      for (let turn = Number(e.pathValue("n")); turn < 5; turn++) await new Promise(setImmediate);
      return e.text(200, e.pathValue("n"));
    });
  });
  const wire = await Wire.connect(t, await listen());
  wire.send([1, 2, 3, 4].map((n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  const ids = new Set<string | undefined>();
  for (const n of [1, 2, 3, 4]) {
    const response = await wire.response();
    assert.equal(response.body, String(n));
    ids.add(response.headers.get("x-trace-id"));
  }
  assert.equal(ids.size, 4);
  assert.deepEqual(facts.items.map(({ path }) => path).sort(), ["/1", "/2", "/3", "/4"]);
  assert.equal(listener.observer.inFlight, 0);
});

test("requests sent in one go by a client that leaves are all let go", async (t) => {
  const { listen, facts, listener } = await createListener(t, (router) => {
    router.get("/slow", async (e) => void (await once(e.response, "close")));
    router.get("/stream", (e) => e.stream(200, "text/plain", endless));
  });
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });
  const wire = await Wire.connect(t, await listen());
  const arrived = new Promise<void>((resolve) => {
    listener.server.on("request", ({ url }) => url === "/slow?2" && resolve());
  });
  wire.send(
    ["/slow", "/stream", "/slow?2"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""),
  );
  await arrived;
  wire.socket.destroy();
  await listener.observer.idle();
  assert.deepEqual(facts.items.map(({ path, statusCode, aborted }) => [path, statusCode, aborted]).sort(), [
    ["/slow", 499, true],
    ["/slow", 499, true],
    ["/stream", 499, true],
  ]);
  if (!endless.closed) await once(endless, "close");
});

test("idle is now when nothing is in flight, and later when something is", async (t) => {
  const { inject, listener } = await createListener(t, (router) => {
    router.get("/x", async (e) => {
      assert.equal(listener.observer.inFlight, 1);
      waited = listener.observer.idle().then(() => "idle");
      assert.equal(await Promise.race([waited, Promise.resolve("busy")]), "busy");
      return e.noContent();
    });
  });
  let waited: Promise<string> | undefined;
  await listener.observer.idle();
  await inject("/x");
  assert.equal(await waited, "idle");
});

test("concurrent requests have different trace IDs", async (t) => {
  const { inject, facts } = await createListener(t, (router) =>
    router.get("/x", (e) => e.text(200, e.traceId)),
  );
  const bodies = await Promise.all(Array.from({ length: 300 }, async () => (await inject("/x")).body));
  assert.equal(new Set(bodies).size, 300);
  assert.deepEqual(new Set(facts.items.map(({ traceId }) => traceId)), new Set(bodies));
});

const NO_ENTRY = defineError("NO_ENTRY", 403, "No entry.");

test("responses with 401 and 403 are published with the identity", async (t) => {
  const refused: unknown[] = [];
  const { inject, listener } = await createListener(t, (router, { observer }) => {
    observer.onRefused(({ path, statusCode, identity, errorCode }) =>
      refused.push([path, statusCode, identity?.id, errorCode]),
    );
    for (const status of [200, 401, 403, 404]) {
      router.uncounted().get(`/${status}`, (e) => {
        if (status === 200) return e.noContent();
        throw status === 403 ? NO_ENTRY() : e.error(status, "No");
      });
    }
    router.get("/counted", (e) => e.json(403, {}));
  });
  listener.identifyWith(async (e) => (e.header("x-name") ? { id: e.header("x-name")! } : null));
  for (const path of ["/200", "/401", "/403", "/404", "/counted"])
    await inject({ url: path, headers: path === "/401" ? {} : { "x-name": "robot" } });
  assert.deepEqual(refused, [
    ["/401", 401, undefined, undefined],
    ["/403", 403, "robot", "NO_ENTRY"],
    ["/counted", 403, "robot", undefined],
  ]);
});
