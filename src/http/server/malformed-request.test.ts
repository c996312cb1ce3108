import assert from "node:assert/strict";
import { once } from "node:events";
import { settles } from "../../lib/testing/until.ts";
import type { ErrorBody, RootRouter } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

function register(router: RootRouter): void {
  router.get("/x", (e) => e.text(200, "served"));
  router.get("/", (e) => e.text(200, "the root"));
  router.post("/x", async (e) => e.text(200, await e.readText()));
}

const badPath =
  'Invalid path: it must start with "/" and contain no dot segment, null byte, fragment or invalid percent-encoding.';
const malformed = "Malformed HTTP request.";
const tooLarge = "The request headers are too large.";

const rows: { name: string; bytes: string | Uint8Array; status: number; message?: string }[] = [
  {
    name: "bytes that are no HTTP",
    bytes: "\x00\x01\x02\xff garbage\r\n\r\n",
    status: 400,
    message: malformed,
  },
  {
    name: "a TLS greeting",
    bytes: Buffer.from("160301020001000100fc0303", "hex"),
    status: 400,
    message: malformed,
  },
  {
    name: "an invalid method",
    bytes: "FETCH /x HTTP/1.1\r\nHost: x\r\n\r\n",
    status: 400,
    message: malformed,
  },
  { name: "no version", bytes: "GET /x\r\n\r\n", status: 400, message: malformed },
  {
    name: "a null byte in a header",
    bytes: "GET /x HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n",
    status: 400,
    message: malformed,
  },
  {
    name: "a space before a colon",
    bytes: "GET /x HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n",
    status: 400,
    message: malformed,
  },
  {
    name: "64 KB of headers",
    bytes: `GET /x HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(65_536)}\r\n\r\n`,
    status: 431,
    message: tooLarge,
  },
  {
    name: "64 KB of many headers",
    bytes: `GET /x HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(10_923)}\r\n`,
    status: 431,
    message: tooLarge,
  },
  {
    name: "a target of 64 KB",
    bytes: `GET /${"x".repeat(65_536)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    status: 431,
    message: tooLarge,
  },
  { name: "no Host", bytes: "GET /x HTTP/1.1\r\nConnection: close\r\n\r\n", status: 400, message: malformed },
  {
    name: "two Hosts",
    bytes: "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nhost: y\r\n\r\n",
    status: 400,
    message: malformed,
  },
  { name: "no Host in HTTP/1.0", bytes: "GET /x HTTP/1.0\r\n\r\n", status: 200 },
  {
    name: "two lengths",
    bytes: "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
    status: 400,
    message: malformed,
  },
  {
    name: "two different lengths",
    bytes: "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    status: 400,
    message: malformed,
  },
  {
    name: "an invalid length",
    bytes: "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    status: 400,
    message: malformed,
  },
  {
    name: "a length and chunks",
    bytes: "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    status: 400,
    message: malformed,
  },
  {
    name: "chunks, and not last",
    bytes: "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    status: 400,
    message: malformed,
  },
  {
    name: "an invalid chunk",
    bytes: "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    status: 400,
    message: malformed,
  },
  {
    name: "a null byte in the path",
    bytes: "GET /x%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "a dot segment",
    bytes: "GET /x/../x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "an escaped dot segment",
    bytes: "GET /%2e%2e%2fx HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "a dot segment between backslashes",
    bytes: "GET /x\\..\\x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "a broken escape",
    bytes: "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "half an escape",
    bytes: "GET /x% HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "an escape that is not UTF-8",
    bytes: "GET /%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "a fragment",
    bytes: "GET /x#.map HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  {
    name: "a fragment that is not UTF-8",
    bytes: "GET /x#%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    status: 400,
    message: badPath,
  },
  ...["GET *", "OPTIONS *", "GET *x", "GET */../x", "GET ftp://x/y"].map((start) => ({
    name: `the target of ${start}`,
    bytes: `${start} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    status: 400,
    message: badPath,
  })),
  {
    name: "an unknown expectation",
    bytes: "GET /x HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
    status: 417,
  },
];

for (const { name, bytes, status, message } of rows) {
  test(`a request with ${name} gets ${status} in the standard format`, async (t) => {
    const { listen, failures } = await createListener(t, register);
    const wire = await Wire.connect(t, await listen());
    wire.send(bytes);
    const response = await wire.response();
    assert.equal(response.status, status);
    assert.match(response.headers.get("x-trace-id") ?? "", /^[A-Za-z0-9]{18}$/);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    if (status === 200) return;
    const body = response.json<ErrorBody>();
    assert.deepEqual(Object.keys(body), ["status", "message", "data", "trace_id"]);
    assert.deepEqual([body.status, body.trace_id], [status, response.headers.get("x-trace-id")]);
    if (message !== undefined) assert.equal(body.message, message);
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    await wire.closed;
    assert.deepEqual(failures.items, []);
  });
}

test("paths that look odd and are not are served", async (t) => {
  const { listen } = await createListener(t, (router) => {
    router.get("/{rest...}", (e) => e.text(200, e.pathValue("rest")));
  });
  const wire = await Wire.connect(t, await listen());
  for (const [target, rest] of [
    ["/a/...", "a/..."],
    ["/.well-known/x", ".well-known/x"],
    ["/a//b", "a//b"],
    ["/%252e%252e", "%2e%2e"],
    ["/a;b=c", "a;b=c"],
    ["/a\\b", "a\\b"],
    ["/%E2%82%AC", "€"],
    [`/${"s/".repeat(1000)}end`, `${"s/".repeat(1000)}end`],
  ] as const) {
    wire.request(get(target));
    const { status, body } = await wire.response();
    assert.deepEqual([status, body], [200, rest], target);
  }
});

test("a path with a thousand segments, and no route for it, is not found", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/{a}/{b}/{c}", (e) => e.noContent());
    router.get("/{a}/{b}/x/{d}/y/{f...}", (e) => e.noContent());
  });
  // A router that tried every way through the patterns would not end.
  assert.equal((await inject(`/${Array(1000).fill("x").join("/")}`)).status, 404);
});

test("a path value may be as long as a path may be", async (t) => {
  const { inject } = await createListener(
    t,
    (router) => {
      router.get("/one/{name}", (e) => e.text(200, e.pathValue("name")));
    },
    { limits: { headerBytes: 40_000 } },
  );
  const long = "v".repeat(16_384);
  assert.equal((await inject(`/one/${long}`)).body, long);
  assert.equal((await inject({ method: "POST", url: `/one/${long}` })).status, 405);
});

test("the target of a request to a proxy is read as its path", async (t) => {
  const { listen, facts } = await createListener(t, (router) => {
    router.get("/x", (e) => e.json(200, [e.path, e.query("a") ?? null, e.url.pathname, e.url.host]));
    router.get("/", (e) => e.text(200, "root"));
  });
  const wire = await Wire.connect(t, await listen());
  wire.request(["GET http://other.example/x?a=1 HTTP/1.1", "Host: localhost"]);
  assert.deepEqual((await wire.response()).json(), ["/x", "1", "/x", "localhost"]);
  wire.request(["GET HTTP://other.example HTTP/1.1", "Host: localhost"]);
  assert.equal((await wire.response()).body, "root");
  wire.request(["GET http://other.example/favicon.ico HTTP/1.1", "Host: localhost"]);
  assert.equal((await wire.response()).status, 404);
  assert.deepEqual(
    facts.items.map(({ path }) => path),
    ["/x", "/"],
  );
});

test("an offer to upgrade is ignored", async (t) => {
  const { listen } = await createListener(t, register);
  const wire = await Wire.connect(t, await listen());
  wire.request(get("/x", "Connection: Upgrade", "Upgrade: h2c"));
  assert.equal((await wire.response()).body, "served");
});

test("CONNECT ends the connection", async (t) => {
  const { listen } = await createListener(t, register);
  const wire = await Wire.connect(t, await listen());
  wire.request(["CONNECT example.com:80 HTTP/1.1", "Host: example.com"]);
  assert.equal(await wire.rest(), "");
});

test("garbage after a request in progress does not get into its response", async (t) => {
  const { listen, failures, listener } = await createListener(t, (router) => {
    router.get("/x", async (e) => {
      e.response.writeHead(200, { "Content-Length": 10 });
      e.response.write("first");
      await once(e.response, "close");
    });
  });
  const wire = await Wire.connect(t, await listen());
  wire.request(get("/x"));
  await once(wire.socket, "data");
  const refused = once(listener.server, "clientError");
  wire.send("\x00 garbage\r\n\r\n");
  await refused;
  assert.match(await wire.rest(), /\r\n\r\nfirst$/);
  assert.deepEqual(failures.items, []);
});

test("garbage after pipelined requests does not get into their responses", async (t) => {
  const { listen, listener } = await createListener(t, (router) => {
    router.get("/1", (e) => {
      e.response.writeHead(200, { "Content-Length": 10 });
      e.response.write("first");
    });
    router.get("/2", async (e) => void (await once(e.response, "close")));
  });
  const wire = await Wire.connect(t, await listen());
  wire.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n\x00 garbage\r\n\r\n");
  const sent = await wire.rest();
  assert.doesNotMatch(sent, /400|understood/);
  await listener.observer.idle();
});

test("garbage after a complete response gets its own response", async (t) => {
  const { listen } = await createListener(t, register);
  const wire = await Wire.connect(t, await listen());
  wire.request(get("/x"));
  assert.equal((await wire.response()).status, 200);
  wire.send("\x00 garbage\r\n\r\n");
  assert.equal((await wire.response()).status, 400);
});

test("headers that arrive too slowly get 408", async (t) => {
  const { listen } = await createListener(t, register, {
    limits: { headersTimeoutMs: 50, requestTimeoutMs: 5_000 },
  });
  const wire = await Wire.connect(t, await listen());
  wire.send("GET /x HTTP/1.1\r\nHo");
  const response = await wire.response();
  assert.deepEqual([response.status, response.json().status], [408, 408]);
  assert.match(response.headers.get("x-trace-id") ?? "", /^[A-Za-z0-9]{18}$/);
  await wire.closed;
});

test("a connection on which nothing is said is ended", async (t) => {
  const { listen } = await createListener(t, register, {
    limits: { headersTimeoutMs: 50, requestTimeoutMs: 5_000 },
  });
  const wire = await Wire.connect(t, await listen());
  // The default is 20 s, and Node checks every 50 ms here.
  await settles("the silent connection ends", wire.closed, { within: 15_000 });
});

test("a body that arrives too slowly gets 408, and the handler gets an error", async (t) => {
  // The headers must arrive in time, also if the machine is busy. Node allows no longer time for them than for the body.
  const limits = { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 };
  const { listen, facts, failures } = await createListener(t, register, { limits });
  const wire = await Wire.connect(t, await listen());
  wire.request(["POST /x HTTP/1.1", "Host: x", "Content-Length: 10"], "half");
  assert.equal((await wire.response()).status, 408);
  await wire.closed;
  assert.equal((await facts.find()).path, "/x");
  assert.deepEqual(failures.items, []);
});
