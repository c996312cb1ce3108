import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { InjectRequest, RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

async function describe(e: RequestEvent): Promise<unknown> {
  return e.json(200, {
    method: e.method,
    type: e.header("content-type") ?? null,
    length: e.header("content-length") ?? null,
    encoding: e.header("transfer-encoding") ?? null,
    body: await e.readText(),
  });
}

const rows: { name: string; request: Partial<InjectRequest>; seen: object }[] = [
  { name: "nothing", request: {}, seen: { type: null, length: "0", encoding: null, body: "" } },
  { name: "text", request: { body: "é" }, seen: { type: null, length: "2", encoding: null, body: "é" } },
  { name: "empty text", request: { body: "" }, seen: { type: null, length: "0", encoding: null, body: "" } },
  {
    name: "bytes",
    request: { body: Buffer.from("ab") },
    seen: { type: null, length: "2", encoding: null, body: "ab" },
  },
  {
    name: "an object",
    request: { body: { a: 1 } },
    seen: { type: "application/json", length: "7", encoding: null, body: '{"a":1}' },
  },
  {
    name: "null",
    request: { body: null },
    seen: { type: "application/json", length: "4", encoding: null, body: "null" },
  },
  {
    name: "a stream",
    request: { body: Readable.from(["a", "b"]) },
    seen: { type: null, length: null, encoding: "chunked", body: "ab" },
  },
  {
    name: "form fields",
    request: { body: new URLSearchParams({ a: "1" }) },
    seen: {
      type: "application/x-www-form-urlencoded;charset=UTF-8",
      length: "3",
      encoding: null,
      body: "a=1",
    },
  },
  {
    name: "an object with a type of its own",
    request: { body: { a: 1 }, headers: { "Content-Type": "application/vnd.x+json" } },
    seen: { type: "application/vnd.x+json", length: "7", encoding: null, body: '{"a":1}' },
  },
];

for (const { name, request, seen } of rows) {
  test(`an injected request carries ${name}`, async (t) => {
    const { inject } = await createListener(t, (router) => router.post("/x", describe));
    const response = await inject({ method: "POST", url: "/x", ...request });
    assert.deepEqual(response.json(), { method: "POST", ...seen });
  });
}

test("an injected request that is cut off fails, and does not wait", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/before", (e) => e.response.destroy());
    router.get("/during", (e) => {
      e.response.writeHead(200, { "Content-Length": 10 });
      e.response.write("half", () => e.response.destroy());
    });
  });
  await assert.rejects(inject("/before"), { code: "ECONNRESET" });
  await assert.rejects(inject("/during"), { code: "ECONNRESET" });
});

test("a stream that breaks while it is injected fails the request", async (t) => {
  const { inject } = await createListener(t, (router) => router.post("/x", describe));
  const body = Readable.from(
    (async function* () {
      yield "a";
      throw new Error("the source broke");
    })(),
  );
  await assert.rejects(inject({ method: "POST", url: "/x", body }), { message: "the source broke" });
});

test("an injected request comes from the address it is given", async (t) => {
  const { inject } = await createListener(t, (router) => router.get("/x", (e) => e.text(200, e.ip)));
  assert.equal((await inject({ url: "/x", remoteAddress: "203.0.113.7" })).body, "203.0.113.7");
});

test("bytes of an injected response stay bytes", async (t) => {
  const bytes = Buffer.from([0, 255, 128, 10]);
  const { inject } = await createListener(t, (router) =>
    router.get("/x", (e) => e.bytes(200, "image/x", bytes)),
  );
  assert.deepEqual(Buffer.from((await inject("/x")).bytes), bytes);
});

test("the body of a response can be read as text, JSON and bytes", async (t) => {
  const { inject } = await createListener(t, (router) => router.get("/x", (e) => e.json(200, { name: "Ü" })));
  const response = await inject("/x");
  assert.equal(response.text(), '{"name":"Ü"}');
  assert.equal(response.body, response.text());
  assert.deepEqual(response.json(), { name: "Ü" });
  assert.deepEqual(Buffer.from(response.bytes), Buffer.from(response.text()));
});
