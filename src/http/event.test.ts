import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { until } from "../lib/testing/until.ts";
import { compress, type ErrorBody, type Host, type RequestEvent } from "./index.ts";
import { createListener, type TestListenerOptions } from "./testing/listener.ts";
import { test } from "./testing/test.ts";
import { get, Wire } from "./testing/wire.ts";

const readings: {
  name: string;
  url?: string;
  headers?: Record<string, string | string[]>;
  options?: TestListenerOptions;
  read: (e: RequestEvent) => unknown;
  value: unknown;
}[] = [
  { name: "the method", read: (e) => e.method, value: "GET" },
  {
    name: "the user agent",
    headers: { "User-Agent": "curl/8.4.0" },
    read: (e) => e.userAgent,
    value: "curl/8.4.0",
  },
  { name: "no user agent", read: (e) => e.userAgent, value: "" },
  { name: "no status code before the response", read: (e) => e.statusCode ?? null, value: null },
  { name: "the start time", read: (e) => Math.abs(e.startTime.getTime() - Date.now()) < 60_000, value: true },
  {
    name: "the same start time again",
    read: (e) => new Set([e.startTime, e.startTime]).size,
    value: 1,
  },
  { name: "the path without the query", url: "/x/a%20b?c=d", read: (e) => e.path, value: "/x/a%20b" },
  { name: "a query value", url: "/x?a=1&b=2", read: (e) => e.query("b"), value: "2" },
  { name: "the first of several", url: "/x?a=1&a=2", read: (e) => e.query("a"), value: "1" },
  { name: "all of several", url: "/x?a=1&b=3&a=2", read: (e) => e.queryAll("a"), value: ["1", "2"] },
  {
    name: "an empty query value",
    url: "/x?a=&b",
    read: (e) => [e.query("a"), e.query("b")],
    value: ["", ""],
  },
  { name: "a query value that is not there", url: "/x?a=1", read: (e) => e.query("b") ?? null, value: null },
  {
    name: "no query at all",
    url: "/x",
    read: (e) => [e.query("a") ?? null, e.queryAll("a")],
    value: [null, []],
  },
  { name: "an escaped query value", url: "/x?a=%C3%A9+%26", read: (e) => e.query("a"), value: "é &" },
  { name: "a broken escape in the query", url: "/x?a=%zz", read: (e) => e.query("a"), value: "%zz" },
  { name: "a header in any case", headers: { "X-One": "1" }, read: (e) => e.header("x-ONE"), value: "1" },
  {
    name: "a header sent twice",
    headers: { "X-One": ["1", "2"] },
    read: (e) => e.header("x-one"),
    value: "1, 2",
  },
  { name: "a header that is not there", read: (e) => e.header("x-one") ?? null, value: null },
  { name: "nothing where Object has something", read: (e) => e.header("constructor") ?? null, value: null },
  { name: "the trace ID as a header", read: (e) => e.header("X-Trace-ID") === e.traceId, value: true },
  { name: "a cookie", headers: { cookie: "a=1; b=2=3;c=4" }, read: (e) => e.cookie("b"), value: "2=3" },
  {
    name: "a cookie that is not there",
    headers: { cookie: "ab=1; b" },
    read: (e) => e.cookie("b") ?? null,
    value: null,
  },
  { name: "no cookies at all", read: (e) => e.cookie("b") ?? null, value: null },
  { name: "no identity", read: (e) => e.auth, value: null },
  { name: "the address of the socket", read: (e) => e.ip, value: "127.0.0.1" },
  {
    name: "the URL",
    url: "/x?a=1",
    headers: { host: "example.com:81" },
    read: (e) => e.url.href,
    value: "http://example.com:81/x?a=1",
  },
  {
    name: "a URL whose path begins with two slashes",
    url: "//evil.com/x",
    read: (e) => e.url.href,
    value: "http://127.0.0.1//evil.com/x",
  },
  {
    name: "a URL at an IPv6 address",
    headers: { host: "[::1]:8090" },
    read: (e) => e.url.host,
    value: "[::1]:8090",
  },
  ...["a b", "x/public?", "x?", "x#", "user@evil.com", "a\\b", "x:99999", "x:y", "[::1", ""].map((host) => ({
    name: `a URL that the Host header ${JSON.stringify(host)} does not bend`,
    url: "/x/admin?a=1",
    headers: { host },
    read: (e: RequestEvent) => [e.url.href, e.query("a")],
    value: ["http://localhost/x/admin?a=1", "1"],
  })),
  {
    name: "what a proxy forwards, when it is trusted",
    headers: {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "example.com, inner",
      "x-forwarded-for": "1.2.3.4",
    },
    options: { trusted: ["127.0.0.1"] },
    read: (e) => [e.isSecure, e.url.href, e.ip],
    value: [true, "https://example.com/x", "1.2.3.4"],
  },
  {
    name: "no forwarded values from an untrusted peer",
    headers: { "x-forwarded-proto": "https", "x-forwarded-host": "evil.com", "x-forwarded-for": "1.2.3.4" },
    options: { trusted: ["10.0.0.1"] },
    read: (e) => [e.isSecure, e.url.href, e.ip],
    value: [false, "http://127.0.0.1/x", "127.0.0.1"],
  },
  {
    name: "the application",
    options: { app: { name: "mine" } as unknown as Host },
    read: (e) => e.app,
    value: { name: "mine" },
  },
];

for (const { name, url = "/x", headers = {}, options = {}, read, value } of readings) {
  test(`an event reads ${name}`, async (t) => {
    const register = (e: RequestEvent) => e.json(200, read(e));
    const { inject } = await createListener(
      t,
      (router) => {
        router.get("/x", register);
        router.get("/{rest...}", register);
      },
      options,
    );
    const { status, body } = await inject({ url, headers });
    assert.equal(status, 200, body);
    assert.deepEqual(JSON.parse(body), value);
  });
}

const responses: {
  name: string;
  respond: (e: RequestEvent) => unknown;
  status: number;
  type?: string;
  body: string;
  headers?: Record<string, string>;
}[] = [
  {
    name: "e.json",
    respond: (e) => e.json(201, { a: "é" }),
    status: 201,
    type: "application/json; charset=utf-8",
    body: '{"a":"é"}',
  },
  {
    name: "e.json of nothing",
    respond: (e) => e.json(200, undefined),
    status: 200,
    type: "application/json; charset=utf-8",
    body: "null",
  },
  {
    name: "e.json of what has toJSON",
    respond: (e) => e.json(200, new Date(0)),
    status: 200,
    type: "application/json; charset=utf-8",
    body: '"1970-01-01T00:00:00.000Z"',
  },
  {
    name: "e.text",
    respond: (e) => e.text(200, "é"),
    status: 200,
    type: "text/plain; charset=utf-8",
    body: "é",
  },
  {
    name: "e.text of nothing",
    respond: (e) => e.text(200, ""),
    status: 200,
    type: "text/plain; charset=utf-8",
    body: "",
  },
  {
    name: "e.html",
    respond: (e) => e.html(200, "<p>"),
    status: 200,
    type: "text/html; charset=utf-8",
    body: "<p>",
  },
  {
    name: "e.bytes",
    respond: (e) => e.bytes(200, "image/x", Buffer.from("é")),
    status: 200,
    type: "image/x",
    body: "é",
  },
  { name: "e.noContent", respond: (e) => e.noContent(), status: 204, body: "" },
  {
    name: "e.redirect",
    respond: (e) => e.redirect(302, "/y?a=b"),
    status: 302,
    body: "",
    headers: { location: "/y?a=b" },
  },
  {
    name: "e.redirect to a path in any letters",
    respond: (e) => e.redirect(303, "/é y%20"),
    status: 303,
    body: "",
    headers: { location: "/%C3%A9%20y%20" },
  },
  {
    name: "e.redirect that tries to add a header",
    respond: (e) => e.redirect(303, "/\r\nSet-Cookie: a"),
    status: 303,
    body: "",
    headers: { location: "/%0D%0ASet-Cookie:%20a" },
  },
  {
    name: "e.stream",
    respond: (e) => e.stream(200, "text/x", Readable.from(["a", "é"])),
    status: 200,
    type: "text/x",
    body: "aé",
  },
  {
    name: "e.stream of nothing",
    respond: (e) => e.stream(200, "text/x", Readable.from([])),
    status: 200,
    type: "text/x",
    body: "",
  },
  {
    name: "e.stream of a file",
    respond: (e) => e.stream(200, "text/x", createReadStream("/dev/null")),
    status: 200,
    type: "text/x",
    body: "",
  },
  {
    name: "an async handler",
    respond: async (e) => e.text(200, "later"),
    status: 200,
    type: "text/plain; charset=utf-8",
    body: "later",
  },
  {
    name: "the listener's own response",
    respond: (e) => void e.response.end("raw"),
    status: 200,
    body: "raw",
  },
  {
    name: "its writeHead, with a reason and a list",
    respond: (e) => void e.response.writeHead(202, "Fine", ["X-A", "1", "X-A", "2"]).end(),
    status: 202,
    body: "",
    headers: { "x-a": "1, 2" },
  },
  {
    name: "its writeHead, with pairs",
    respond: (e) =>
      void e.response
        .writeHead(202, [
          ["X-A", "1"],
          ["X-B", "2"],
        ] as never)
        .end(),
    status: 202,
    body: "",
    headers: { "x-a": "1", "x-b": "2" },
  },
  {
    name: "its statusCode and setHeader",
    respond: (e) => {
      e.response.statusCode = 418;
      e.response.setHeader("X-A", "1");
      e.response.end();
    },
    status: 418,
    body: "",
    headers: { "x-a": "1" },
  },
];

for (const { name, respond, status, type, body, headers = {} } of responses) {
  test(`${name} sends a response`, async (t) => {
    const { inject, facts, failures } = await createListener(t, (router) => router.get("/x", respond));
    const response = await inject("/x");
    assert.deepEqual([response.status, response.body], [status, body]);
    assert.equal(response.headers["content-type"], type);
    for (const [header, value] of Object.entries(headers)) assert.equal(response.headers[header], value);
    assert.deepEqual(failures.items, []);
    const fact = await facts.find();
    assert.equal(response.headers["x-trace-id"], fact.traceId);
    assert.deepEqual(
      [fact.statusCode, fact.bytesSent, fact.aborted, fact.route],
      [status, Buffer.byteLength(body), false, "/x"],
    );
    assert.equal(facts.items.length, 1);

    const head = await inject({ method: "HEAD", url: "/x" });
    assert.deepEqual([head.status, head.body], [status, ""]);
    assert.equal(head.headers["content-type"], type);
    assert.equal((await facts.find(({ method }) => method === "HEAD")).bytesSent, 0);
  });
}

for (const compresses of [false, true]) {
  test(`middleware reads the status and the duration of ${compresses ? "a compressed" : "a"} response`, async (t) => {
    const read: [before: unknown, after: unknown][] = [];
    const durations: number[] = [];
    const { inject, facts } = await createListener(t, (router) => {
      router.bindFunc(async (e) => {
        const before = e.statusCode;
        e.response.once("close", () => durations.push(e.durationMs));
        await e.next();
        read.push([before, e.statusCode]);
      });
      if (compresses) router.bind(compress());
      for (const [index, { respond }] of responses.entries()) router.get(`/${index}`, respond);
      router.get("/long", (e) => e.json(203, "long ".repeat(50_000)));
    });
    const paths = [...responses.keys().map(String), "long"];
    for (const path of paths) {
      await inject({ url: `/${path}`, headers: { "Accept-Encoding": "gzip" } });
    }
    await until("the end of all responses", () => durations.length === paths.length);
    const statuses = [...responses.map(({ status }) => status), 203];
    assert.deepEqual(
      read,
      statuses.map((status) => [undefined, status]),
    );
    assert.deepEqual(
      durations,
      facts.items.map(({ durationMs }) => durationMs),
    );
  });
}

const wrongResponses: { name: string; respond: (e: RequestEvent) => unknown }[] = [
  { name: "JSON of a BigInt", respond: (e) => e.json(200, 1n) },
  { name: "an invalid status", respond: (e) => e.json(1000, {}) },
  { name: "an invalid content type", respond: (e) => e.bytes(200, "a\r\nb", Buffer.alloc(0)) },
  { name: "an invalid header", respond: (e) => e.setHeader("X-A", "a\nb") },
  {
    name: "a stream with an invalid status",
    respond: (e) => e.stream(1000, "text/plain", Readable.from(["a"])),
  },
  {
    name: "a stream with an invalid content type",
    respond: (e) => e.stream(200, "a\r\nb", Readable.from(["a"])),
  },
];

for (const { name, respond } of wrongResponses) {
  test(`${name} gets 500 and is reported`, async (t) => {
    const { inject, failures } = await createListener(t, (router) => router.get("/x", respond));
    const response = await inject("/x");
    assert.deepEqual([response.status, response.json<ErrorBody>().status], [500, 500]);
    assert.equal(failures.items.length, 1);
  });
}

test("a response without a body by its status sends neither a body nor its headers", async (t) => {
  const { listen, facts } = await createListener(t, (router) => {
    router.get("/204", (e) => e.json(204, { a: 1 }));
    router.get("/304", (e) => e.text(304, "abc"));
  });
  const wire = await Wire.connect(t, await listen());
  for (const status of [204, 304]) {
    wire.request(get(`/${status}`));
    const response = await wire.response();
    assert.equal(response.status, status);
    if (status === 204) assert.equal(response.headers.get("content-length"), undefined);
    assert.equal((await facts.find(({ statusCode }) => statusCode === status)).bytesSent, 0);
  }
});

test("a stream that fails before its first byte gets an error response", async (t) => {
  const { inject, failures, facts } = await createListener(t, (router) => {
    router.get("/x", (e) => e.stream(200, "text/plain", createReadStream("/nowhere/at/all")));
    router.get("/chosen", (e) =>
      e.stream(200, "text/plain", new Readable({ read: () => {} }).destroy(e.error(410, "Gone."))),
    );
  });
  const response = await inject("/x");
  assert.equal(response.status, 500);
  assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(response.json<ErrorBody>().trace_id, response.headers["x-trace-id"]);
  assert.match(String(failures.items[0]?.error), /ENOENT/);
  assert.equal(failures.items[0]?.message, "Failed to send a response stream");
  assert.equal(facts.items[0]?.statusCode, 500);
  assert.equal((await inject("/chosen")).status, 410);
  assert.equal(failures.items.length, 1);
});

for (const [how, breakIt] of [
  ["fails", (body: PassThrough) => body.destroy(new Error("the disk is gone"))],
  ["is destroyed", (body: PassThrough) => body.destroy()],
] as const) {
  test(`a stream that ${how} half way is reported, and the connection is cut`, async (t) => {
    const { listen, failures, facts } = await createListener(t, (router) => {
      router.get("/x", (e) => {
        const body = new PassThrough();
        body.write("half");
        bodies.push(body);
        return e.stream(200, "text/plain", body);
      });
    });
    const bodies: PassThrough[] = [];
    const wire = await Wire.connect(t, await listen());
    wire.request(get("/x"));
    wire.socket.once("data", () => breakIt(bodies[0]!));
    const sent = await wire.rest();
    assert.match(sent, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(sent, /\r\n4\r\nhalf\r\n$/);
    const failure = await failures.find();
    assert.equal(failure.message, "Failed to send a response stream");
    const fact = await facts.find();
    assert.deepEqual(
      [fact.traceId, fact.statusCode, fact.aborted, fact.bytesSent],
      [failure.traceId, 200, false, 4],
    );
    assert.equal(failures.items.length, 1);
  });
}

test("a stream is destroyed when the client disconnects, and this is not reported", async (t) => {
  const body = new PassThrough();
  const { listen, failures, facts } = await createListener(t, (router) => {
    router.get("/x", (e) => e.stream(200, "text/plain", body));
  });
  body.write("some");
  const wire = await Wire.connect(t, await listen());
  wire.request(get("/x"));
  wire.socket.once("data", () => wire.socket.destroy());
  const fact = await facts.find();
  assert.deepEqual([fact.statusCode, fact.aborted], [499, true]);
  if (!body.closed) await new Promise((resolve) => body.once("close", resolve));
  assert.deepEqual(failures.items, []);
});

test("a stream is let go when the handler fails after starting it", async (t) => {
  const body = new PassThrough();
  const { inject, failures, facts } = await createListener(t, (router) => {
    router.get("/x", (e) => {
      e.stream(200, "text/plain", body);
      throw new Error("boom");
    });
  });
  await assert.rejects(inject("/x"));
  const { statusCode, aborted } = await facts.find();
  assert.deepEqual([statusCode, aborted], [500, false]);
  if (!body.closed) await new Promise((resolve) => body.once("close", resolve));
  assert.deepEqual(
    failures.items.map(({ error }) => String(error)),
    ["Error: boom"],
  );
});

test("no other response can be sent after a stream", async (t) => {
  const { inject, failures } = await createListener(t, (router) => {
    router.get("/x", (e) => {
      e.stream(200, "text/plain", Readable.from(["a"]));
      assert.equal(e.hasResponded, true);
      assert.throws(() => e.json(200, {}), { code: "RESPONSE_ALREADY_SENT" });
      assert.throws(() => e.stream(200, "text/plain", Readable.from(["b"])), {
        code: "RESPONSE_ALREADY_SENT",
      });
    });
  });
  assert.equal((await inject("/x")).body, "a");
  assert.deepEqual(failures.items, []);
});

test("HEAD of an endless stream gets a response", async (t) => {
  const body = new PassThrough();
  body.write("an event");
  const { inject } = await createListener(t, (router) => {
    router.get("/x", (e) => e.stream(200, "text/event-stream", body));
  });
  const { status, headers } = await inject({ method: "HEAD", url: "/x" });
  assert.deepEqual([status, headers["content-type"]], [200, "text/event-stream"]);
  if (!body.closed) await new Promise((resolve) => body.once("close", resolve));
});

test("a response to a disconnected client does no harm", async (t) => {
  const ways: ((e: RequestEvent) => unknown)[] = [
    (e) => e.json(200, { a: 1 }),
    (e) => e.noContent(),
    (e) => e.redirect(302, "/"),
    (e) => e.stream(200, "text/plain", Readable.from(["a"])),
    (e) => [e.response.write("a"), e.response.end("b")],
    (e) => {
      throw e.error(400, "No.");
    },
  ];
  const { listen, facts, failures, listener } = await createListener(t, (router) => {
    router.get("/{way}", async (e) => {
      await new Promise((resolve) => e.response.once("close", resolve));
      try {
        return await ways[Number(e.pathValue("way"))]!(e);
      } finally {
        done.push(e.pathValue("way"));
      }
    });
  });
  const done: string[] = [];
  const port = await listen();
  for (const way of ways.keys()) {
    const wire = await Wire.connect(t, port);
    const arrived = new Promise((resolve) => listener.server.once("request", resolve));
    wire.request(get(`/${way}`));
    await arrived;
    wire.socket.destroy();
    const fact = await facts.find(({ path }) => path === `/${way}`);
    assert.deepEqual([fact.statusCode, fact.aborted], [499, true], `way ${way}`);
  }
  await new Promise(setImmediate);
  assert.equal(done.length, ways.length);
  assert.equal(facts.items.length, ways.length);
  assert.deepEqual(failures.items, []);
});

test("a bug that shows after the client has left is reported all the same", async (t) => {
  const { listen, failures, listener } = await createListener(t, (router) => {
    router.get("/x", async (e) => {
      await new Promise((resolve) => e.response.once("close", resolve));
      throw new TypeError("a bug");
    });
  });
  const wire = await Wire.connect(t, await listen());
  const arrived = new Promise((resolve) => listener.server.once("request", resolve));
  wire.request(get("/x"));
  await arrived;
  wire.socket.destroy();
  assert.equal(String((await failures.find()).error), "TypeError: a bug");
});
