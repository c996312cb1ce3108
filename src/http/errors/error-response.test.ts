import assert from "node:assert/strict";
import { ApiError } from "../../lib/errors/errors.ts";
import { hostileValues } from "../../lib/testing/hostile-values.ts";
import type { ErrorBody, RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

const internal = "Internal server error. See the log for this trace ID.";
const secret = "password of the database";

const circular: Record<string, unknown> = {};
circular.self = circular;

function refuse(): never {
  throw new TypeError("This value refuses to be read.");
}

const thrown: {
  name: string;
  value: unknown;
  status: number;
  message: string;
  data?: object;
  isReported: boolean;
}[] = [
  { name: "an error", value: new Error(secret), status: 500, message: internal, isReported: true },
  { name: "a string", value: secret, status: 500, message: internal, isReported: true },
  { name: "undefined", value: undefined, status: 500, message: internal, isReported: true },
  { name: "null", value: null, status: 500, message: internal, isReported: true },
  { name: "a number", value: 404, status: 500, message: internal, isReported: true },
  {
    name: "an object with a status",
    value: { status: 404 },
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "an object without a prototype",
    value: Object.create(null),
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "an error meant for the client",
    value: new ApiError(409, "Taken.", { data: { name: { code: "taken", message: "Choose another." } } }),
    status: 409,
    message: "Taken.",
    data: { name: { code: "taken", message: "Choose another." } },
    isReported: false,
  },
  {
    name: "one with a cause, which stays here,",
    value: new ApiError(400, "No.", { cause: new Error(secret) }),
    status: 400,
    message: "No.",
    isReported: false,
  },
  {
    name: "one of the server's faults that is meant for the client",
    value: new ApiError(503, "Back at noon.", { cause: new Error(secret) }),
    status: 503,
    message: "Back at noon.",
    isReported: true,
  },
  {
    name: "one whose data is a BigInt",
    value: new ApiError(400, secret, { data: { count: 1n } }),
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "one whose data is a circle",
    value: new ApiError(400, secret, { data: circular }),
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "one with an invalid header",
    value: new ApiError(400, secret, { headers: { "X-Bad": "a\r\nSet-Cookie: b" } }),
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "one whose status throws",
    value: Object.defineProperty(new ApiError(400, secret), "status", { get: refuse }),
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "one whose message throws",
    value: Object.defineProperty(new ApiError(400, secret), "message", { get: refuse }),
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "one whose data throws when it is converted",
    value: new ApiError(400, secret, { data: { toJSON: refuse } }),
    status: 500,
    message: internal,
    isReported: true,
  },
  {
    name: "one with an invalid status",
    value: Object.assign(new ApiError(400, secret), { status: 20 }),
    status: 500,
    message: internal,
    isReported: true,
  },
  ...Object.entries(hostileValues).map(([name, create]) => ({
    name,
    value: create(),
    status: 500,
    message: internal,
    isReported: true,
  })),
  {
    name: "one whose data says null",
    value: new ApiError(400, "No.", { data: null as never }),
    status: 400,
    message: "No.",
    isReported: false,
  },
];

const ways: { way: string; handler: (value: unknown) => (e: RequestEvent) => unknown }[] = [
  {
    way: "thrown",
    handler: (value) => () => {
      throw value;
    },
  },
  {
    way: "thrown in an async function",
    handler: (value) => async () => {
      await Promise.resolve();
      throw value;
    },
  },
  { way: "a rejected promise", handler: (value) => () => Promise.reject(value) },
  {
    way: "rejected by a promise of another kind",
    handler: (value) => () => ({
      // biome-ignore lint/suspicious/noThenProperty: that is what makes it one
      then(_done: unknown, fail: (reason: unknown) => void) {
        fail(value);
      },
    }),
  },
];

for (const { name, value, status, message, data = {}, isReported } of thrown) {
  for (const { way, handler } of ways.slice(0, name === "an error" || name === "undefined" ? 4 : 2)) {
    test(`${name}, ${way}, gets ${status}${isReported ? " and is reported" : ""}`, async (t) => {
      const { inject, failures } = await createListener(t, (router) => router.get("/x", handler(value)));
      const response = await inject("/x");
      const { "x-trace-id": traceId } = response.headers;
      assert.equal(response.status, status);
      assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
      assert.equal(response.headers["cache-control"], "no-store");
      assert.deepEqual(response.json(), { status, message, data, trace_id: traceId });
      assert.doesNotMatch(response.body, /password|stack|\.ts:/);
      assert.equal(failures.items.length > 0, isReported);
      for (const failure of failures.items) {
        assert.deepEqual([failure.traceId, failure.method, failure.path], [traceId, "GET", "/x"]);
      }
      if (isReported && status === 500 && value !== undefined) {
        const errors = failures.items.map(({ error }) => error);
        assert.ok(errors.includes(value) || errors.some((error) => error instanceof TypeError));
      }
    });
  }
}

test("headers of an error reach the client", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/x", () => {
      throw new ApiError(429, "Later.", { headers: { "Retry-After": "7", "Cache-Control": "max-age=7" } });
    });
  });
  const { headers } = await inject("/x");
  assert.equal(headers["retry-after"], "7");
  assert.equal(headers["cache-control"], "max-age=7");
});

test("content headers of the intended response are not sent with the error", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/x", (e) => {
      e.setHeader("Content-Type", "image/png");
      e.setHeader("Content-Length", 12345);
      e.setHeader("Content-Encoding", "gzip");
      e.setHeader("Content-Disposition", "attachment");
      e.setHeader("Content-Security-Policy", "default-src 'self'");
      e.setHeader("ETag", '"1"');
      e.setHeader("Last-Modified", "yesterday");
      e.setHeader("Set-Cookie", ["a=1", "b=2"]);
      throw e.error(404, "Gone.");
    });
  });
  const { headers, body } = await inject("/x");
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  assert.equal(headers["content-length"], String(Buffer.byteLength(body)));
  for (const name of ["content-encoding", "content-disposition", "etag", "last-modified"]) {
    assert.equal(headers[name], undefined, name);
  }
  assert.deepEqual(headers["set-cookie"], ["a=1", "b=2"]);
  assert.equal(headers["content-security-policy"], "default-src 'self'");
});

const accepts: { accept: string | undefined; isPage: boolean }[] = [
  { accept: undefined, isPage: false },
  { accept: "*/*", isPage: false },
  { accept: "application/json", isPage: false },
  { accept: "application/json, text/plain, */*", isPage: false },
  { accept: "text/html", isPage: true },
  { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", isPage: true },
];

for (const { accept, isPage } of accepts) {
  test(`an error for Accept: ${accept} is ${isPage ? "a page" : "JSON"}`, async (t) => {
    const { inject } = await createListener(t, (router) => {
      router.get("/x", (e) => {
        throw e.error(400, `No <script>alert("x")</script> & 'no'`);
      });
    });
    const { status, headers, body } = await inject({ url: "/x", headers: accept ? { accept } : {} });
    assert.equal(status, 400);
    if (!isPage) {
      assert.equal(headers["content-type"], "application/json; charset=utf-8");
      assert.match((JSON.parse(body) as ErrorBody).message, /<script>/);
      return;
    }
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.match(body, /^<!doctype html>/);
    assert.match(body, /<h1>.*400.*Bad Request<\/h1>/);
    assert.match(body, /No &#60;script&#62;alert\(&#34;x&#34;\)&#60;\/script&#62; &#38; &#39;no&#39;/);
    assert.ok(body.includes(String(headers["x-trace-id"])));
    assert.doesNotMatch(body, /<script/);
    assert.match(String(headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["referrer-policy"], "same-origin");
    assert.equal(headers["cache-control"], "no-store");
  });
}

test("an unknown path is escaped in the page", async (t) => {
  const { inject } = await createListener(t);
  const { body } = await inject({ url: "/<script>", headers: { accept: "text/html" } });
  assert.doesNotMatch(body, /<script/);
});

test("a page for a status that has no name is called an error", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/x", (e) => {
      throw e.error(499, "Odd.");
    });
  });
  assert.match((await inject({ url: "/x", headers: { accept: "text/html" } })).body, /499<\/span> Error/);
});

const silent: { name: string; handler: (e: RequestEvent) => unknown }[] = [
  { name: "returns nothing", handler: () => {} },
  { name: "returns data", handler: () => ({ hello: "you" }) },
  { name: "returns a promise of nothing", handler: async () => {} },
  { name: "calls next without a following handler", handler: (e) => e.next() },
  { name: "responds later without being awaited", handler: (e) => void setImmediate(() => e.hasResponded) },
];

for (const { name, handler } of silent) {
  test(`a handler that ${name} gets 500, and the log says what to do`, async (t) => {
    const { inject, failures } = await createListener(t, (router) => router.post("/x/{id}", handler));
    const response = await inject({ method: "POST", url: "/x/1" });
    assert.deepEqual([response.status, response.json<ErrorBody>().message], [500, internal]);
    assert.match(String(failures.items[0]?.error), /No response was sent for POST \/x\/\{id\}\./);
  });
}

const doubles: { name: string; second: (e: RequestEvent) => unknown }[] = [
  { name: "e.json", second: (e) => e.json(200, {}) },
  { name: "e.text", second: (e) => e.text(200, "") },
  { name: "e.noContent", second: (e) => e.noContent() },
  { name: "e.redirect", second: (e) => e.redirect(302, "/") },
];

for (const { name, second } of doubles) {
  test(`a second response by ${name} is rejected and reported, and the first one is sent`, async (t) => {
    const { inject, failures, facts } = await createListener(t, (router) => {
      router.get("/x", (e) => {
        e.text(200, "first");
        return second(e);
      });
    });
    const { status, body } = await inject("/x");
    assert.deepEqual([status, body], [200, "first"]);
    assert.match(String(failures.items[0]?.error), /A response to GET \/x has already been sent/);
    assert.equal(failures.items[0]?.message, "Failed to handle request after the response was sent");
    assert.equal(facts.items.length, 1);
  });
}

test("an error after the response is reported and does not change the response", async (t) => {
  const { inject, failures } = await createListener(t, (router) => {
    router.get("/x", async (e) => {
      e.text(200, "whole");
      throw e.error(400, "too late");
    });
  });
  assert.equal((await inject("/x")).body, "whole");
  assert.equal((await failures.find()).message, "Failed to handle request after the response was sent");
});

test("an error in the middle of a response closes the connection, so that the client notices", async (t) => {
  const { inject, failures, facts } = await createListener(t, (router) => {
    router.get("/x", async (e) => {
      e.response.writeHead(200, { "Content-Type": "text/plain" });
      await new Promise<void>((resolve) => e.response.write("half", () => resolve()));
      throw new Error("boom");
    });
  });
  await assert.rejects(inject("/x"), { code: "ECONNRESET" });
  const failure = await failures.find();
  assert.equal(failure.message, "Failed to handle request after the response was sent");
  const fact = await facts.find();
  assert.equal(failure.traceId, fact.traceId);
  assert.deepEqual([fact.statusCode, fact.aborted, fact.bytesSent], [200, false, 4]);
  assert.equal(failures.items.length, 1);
});

test("a failing subscriber affects neither the response nor other subscribers", async (t) => {
  const { inject, facts, failures } = await createListener(t, (router, { observer }) => {
    observer.onFinished(() => {
      throw new Error("a bad subscriber");
    });
    observer.onFailed(() => {
      throw new Error("a bad logger");
    });
    observer.onFinished(() => later.push("finished"));
    observer.onFailed(() => later.push("failed"));
    router.get("/x", (e) => e.text(200, "x"));
    router.get("/throw", () => {
      throw new Error("boom");
    });
  });
  const later: string[] = [];
  const warnings: Error[] = [];
  const remember = (warning: Error) => warnings.push(warning);
  process.on("warning", remember);
  t.after(() => process.off("warning", remember));
  assert.equal((await inject("/x")).body, "x");
  assert.equal((await inject("/throw")).status, 500);
  assert.equal(facts.items.length, 2);
  assert.deepEqual(later, ["failed", "finished", "failed", "failed", "finished"]);
  assert.match(String(failures.items[0]?.error), /a bad subscriber/);
  await new Promise(setImmediate);
  assert.ok(warnings.some(({ message }) => message.includes("a bad logger")));
});
