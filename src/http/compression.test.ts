import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { compressed } from "./compression.ts";
import { createListener } from "./testing/listener.ts";

const large = { values: Array.from({ length: 1_000 }, (_, index) => `value ${index}`) };

async function createSite(t: Parameters<typeof createListener>[0]) {
  const { inject } = await createListener(t, (root) => {
    const router = root.setPrefix("/data");
    router.bind(compressed);
    router.get("/large", (e) => e.json(200, large));
    router.get("/small", (e) => e.json(200, { small: true }));
    router.get("/stream", (e) => e.stream(200, "text/plain", Readable.from(["one ", "two"])));
    router.get("/empty", (e) => e.stream(200, "text/plain", Readable.from([])));
    router.get("/twice", (e) => {
      e.json(200, large);
      return e.json(200, large);
    });
  });
  return (url: string, encoding?: string, method = "GET") =>
    inject({ url, method, headers: encoding === undefined ? {} : { "accept-encoding": encoding } });
}

describe("compressed responses", () => {
  it("are for clients that accept gzip", async (t) => {
    const get = await createSite(t);
    for (const encoding of ["gzip", "deflate, gzip;q=0.5, br"]) {
      const { headers, bytes } = await get("/data/large", encoding);
      assert.equal(headers["content-encoding"], "gzip");
      assert.equal(Number(headers["content-length"]), bytes.length);
      assert.deepEqual(JSON.parse(gunzipSync(bytes).toString()), large);
      assert.ok(bytes.length < JSON.stringify(large).length / 3);
    }
    for (const encoding of [undefined, "br", "gzip;q=0"]) {
      const { headers, json } = await get("/data/large", encoding);
      assert.equal(headers["content-encoding"], undefined);
      assert.equal(headers.vary, "Accept-Encoding");
      assert.deepEqual(json(), large);
    }
  });

  it("are not small, and not the head alone", async (t) => {
    const get = await createSite(t);
    const small = await get("/data/small", "gzip");
    assert.deepEqual([small.headers["content-encoding"], small.json()], [undefined, { small: true }]);
    const head = await get("/data/large", "gzip", "HEAD");
    assert.deepEqual([head.status, head.headers["content-encoding"]], [200, undefined]);
  });

  it("include streams, also empty ones", async (t) => {
    const get = await createSite(t);
    const { headers, bytes } = await get("/data/stream", "gzip");
    assert.equal(headers["content-encoding"], "gzip");
    assert.equal(gunzipSync(bytes).toString(), "one two");
    const empty = await get("/data/empty", "gzip");
    assert.equal(gunzipSync(empty.bytes).toString(), "");
  });

  it("are sent once", async (t) => {
    const get = await createSite(t);
    const { status, bytes } = await get("/data/twice", "gzip");
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(gunzipSync(bytes).toString()), large);
  });
});
