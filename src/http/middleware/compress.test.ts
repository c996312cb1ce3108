import assert from "node:assert/strict";
import { once } from "node:events";
import { get as httpGet } from "node:http";
import { Readable } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import { brotliDecompressSync, createGunzip, gunzipSync, zstdDecompressSync } from "node:zlib";
import { settles, until } from "../../lib/testing/until.ts";
import { compress, type RequestEvent } from "../index.ts";
import { createListener, type TestListener } from "../testing/listener.ts";
import { Random } from "../testing/random.ts";

const large = { values: Array.from({ length: 1_000 }, (_, index) => `value ${index}`) };
const text = JSON.stringify(large);
/** Compressed immediately, and in a thread. */
const sizes: Record<string, string> = { "/medium": text.slice(0, 3_000), "/huge": text.repeat(20) };

const decoders: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

function decode(bytes: Uint8Array, encoding: string | undefined): string {
  return Buffer.from(encoding === undefined ? bytes : decoders[encoding]!(bytes)).toString();
}

const handlers: Record<string, (e: RequestEvent) => unknown> = {
  "/large": (e) => e.json(200, large),
  "/small": (e) => e.json(200, { small: true }),
  "/medium": (e) => e.text(200, sizes["/medium"]!),
  "/huge": (e) => e.text(200, sizes["/huge"]!),
  "/stream": (e) => e.stream(200, "text/plain", Readable.from(["one ", "two"])),
  "/empty": (e) => e.stream(200, "text/plain", Readable.from([])),
  "/short-stream": (e) => {
    e.setHeader("Content-Length", 7);
    return e.stream(200, "text/plain", Readable.from(["one two"]));
  },
  "/long-stream": (e) => {
    e.setHeader("Content-Length", text.length);
    return e.stream(200, "text/plain", Readable.from([text]));
  },
  "/image": (e) => e.bytes(200, "image/png", Buffer.from(text)),
  "/svg": (e) => e.bytes(200, "image/svg+xml", Buffer.from(text)),
  "/events": (e) => e.stream(200, "text/event-stream", Readable.from([`data: ${text}\n\n`])),
  "/encoded": (e) => {
    e.setHeader("Content-Encoding", "x-own");
    return e.text(200, text);
  },
  "/no-transform": (e) => {
    e.setHeader("Cache-Control", "public, no-transform, max-age=60");
    return e.text(200, text);
  },
  "/tagged": (e) => {
    e.setHeader("ETag", '"v1"');
    e.setHeader("Accept-Ranges", "bytes");
    return e.text(e.header("if-none-match") === 'W/"v1"' ? 304 : 200, text);
  },
  "/weak": (e) => {
    e.setHeader("ETag", 'W/"v1"');
    return e.text(200, text);
  },
  "/partial": (e) => {
    e.setHeader("Content-Range", `bytes 0-${text.length - 1}/${2 * text.length}`);
    return e.text(206, text);
  },
  "/varies": (e) => {
    e.setHeader("Vary", "Origin, Accept-Language");
    return e.text(200, text);
  },
  "/varies-already": (e) => {
    e.setHeader("Vary", "accept-encoding");
    return e.text(200, text);
  },
  "/none": (e) => e.noContent(),
  "/error": (e) => {
    throw e.error(404, text);
  },
  "/medium-twice": (e) => {
    e.text(200, sizes["/medium"]!);
    return e.text(200, "again");
  },
  "/huge-twice": (e) => {
    e.text(200, sizes["/huge"]!);
    return e.text(200, "again");
  },
};

async function createSite(t: TestContext, options?: Parameters<typeof compress>[0]): Promise<TestListener> {
  return createListener(t, (router) => {
    router.bind(compress(options));
    for (const [path, handler] of Object.entries(handlers)) router.get(path, handler);
  });
}

describe("compress", () => {
  it("uses the encoding that the client prefers", async (t) => {
    const { inject } = await createSite(t);
    const accepted: [header: string, encoding: string][] = [
      ["gzip", "gzip"],
      ["gzip, deflate, br, zstd", "zstd"],
      ["gzip, br", "br"],
      ["br;q=0.5, gzip", "gzip"],
      ["*", "gzip"],
    ];
    for (const [header, encoding] of accepted) {
      for (const [url, body] of Object.entries(sizes)) {
        const { headers, bytes } = await inject({ url, headers: { "accept-encoding": header } });
        assert.equal(headers["content-encoding"], encoding);
        assert.equal(headers.vary, "Accept-Encoding");
        assert.equal(Number(headers["content-length"]), bytes.length);
        assert.ok(bytes.length < body.length / 3);
        assert.equal(decode(bytes, encoding), body);
      }
    }
  });

  it("sends the body unchanged to other clients, and says that it varies", async (t) => {
    const { inject } = await createSite(t);
    for (const header of [undefined, "", "deflate", "gzip;q=0", "gzip;q=0.1, identity", "*;q=0"]) {
      const headers = header === undefined ? {} : { "accept-encoding": header };
      const response = await inject({ url: "/large", headers });
      assert.equal(response.headers["content-encoding"], undefined);
      assert.equal(response.headers.vary, "Accept-Encoding");
      assert.deepEqual(response.json(), large);
    }
  });

  const unchanged: [path: string, vary: string | undefined][] = [
    ["/small", "Accept-Encoding"],
    ["/short-stream", "Accept-Encoding"],
    ["/partial", "Accept-Encoding"],
    ["/image", undefined],
    ["/events", undefined],
    ["/no-transform", undefined],
    ["/none", undefined],
    ["/error", undefined],
  ];
  for (const [path, vary] of unchanged) {
    it(`leaves ${path} unchanged`, async (t) => {
      const { inject } = await createSite(t);
      const plain = await inject(path);
      const { status, headers, body } = await inject({ url: path, headers: { "accept-encoding": "gzip" } });
      assert.deepEqual([headers["content-encoding"], headers.vary], [undefined, vary]);
      const withoutTrace = (sent: string) => sent.replace(/"trace_id":"\w+"/, "");
      assert.deepEqual([status, withoutTrace(body)], [plain.status, withoutTrace(plain.body)]);
    });
  }

  it("does not encode a body that is encoded already", async (t) => {
    const { inject } = await createSite(t);
    const { headers, body } = await inject({ url: "/encoded", headers: { "accept-encoding": "gzip" } });
    assert.deepEqual([headers["content-encoding"], headers.vary, body], ["x-own", undefined, text]);
  });

  it("compresses everything for a client that refuses unchanged bodies", async (t) => {
    const { inject } = await createSite(t);
    for (const path of ["/small", "/image", "/short-stream"]) {
      const plain = await inject(path);
      const { headers, bytes } = await inject({
        url: path,
        headers: { "accept-encoding": "gzip, identity;q=0" },
      });
      assert.deepEqual([headers["content-encoding"], headers.vary], ["gzip", "Accept-Encoding"]);
      assert.equal(decode(bytes, "gzip"), plain.body);
    }
  });

  it("compresses streams, including empty ones and those with a length", async (t) => {
    const { inject } = await createSite(t);
    for (const [path, expected] of [
      ["/stream", "one two"],
      ["/empty", ""],
      ["/long-stream", text],
    ] as const) {
      for (const encoding of ["gzip", "br", "zstd"]) {
        const { headers, bytes } = await inject({ url: path, headers: { "accept-encoding": encoding } });
        assert.equal(headers["content-encoding"], encoding);
        assert.equal(headers["content-length"], undefined);
        assert.equal(decode(bytes, encoding), expected);
      }
    }
  });

  it("sends the same headers for HEAD as for GET, except for the length", async (t) => {
    const { inject } = await createSite(t);
    const paths = ["/medium", "/huge", "/small", "/stream", "/image", "/tagged", "/varies", "/long-stream"];
    for (const url of paths) {
      for (const accepted of ["gzip", "identity"]) {
        const headers = { "accept-encoding": accepted };
        const [get, head] = [await inject({ url, headers }), await inject({ url, headers, method: "HEAD" })];
        const described = (names: typeof get.headers) => [
          names["content-encoding"],
          names["content-type"],
          names.vary,
          names.etag,
          names["accept-ranges"],
        ];
        assert.deepEqual(described(head.headers), described(get.headers), url);
        if (head.headers["content-length"] !== undefined)
          assert.equal(head.headers["content-length"], get.headers["content-length"], url);
        assert.equal(head.body, "");
      }
    }
  });

  it("makes the entity tag weak and withdraws ranges, because each encoding has other bytes", async (t) => {
    const { inject } = await createSite(t);
    const packed = await inject({ url: "/tagged", headers: { "accept-encoding": "gzip" } });
    assert.deepEqual([packed.headers.etag, packed.headers["accept-ranges"]], ['W/"v1"', undefined]);
    const plain = await inject("/tagged");
    assert.deepEqual([plain.headers.etag, plain.headers["accept-ranges"]], ['"v1"', "bytes"]);
    const weak = await inject({ url: "/weak", headers: { "accept-encoding": "gzip" } });
    assert.equal(weak.headers.etag, 'W/"v1"');
    const { status, headers } = await inject({
      url: "/tagged",
      headers: { "accept-encoding": "gzip", "if-none-match": 'W/"v1"' },
    });
    assert.deepEqual(
      [status, headers.etag, headers.vary, headers["content-encoding"]],
      [304, 'W/"v1"', "Accept-Encoding", undefined],
    );
  });

  it("adds to a Vary header", async (t) => {
    const { inject } = await createSite(t);
    const headers = { "accept-encoding": "gzip" };
    const varies = await inject({ url: "/varies", headers });
    assert.equal(varies.headers.vary, "Origin, Accept-Language, Accept-Encoding");
    assert.equal((await inject({ url: "/varies-already", headers })).headers.vary, "accept-encoding");
  });

  it("sends a response once", async (t) => {
    const { inject, failures } = await createSite(t);
    for (const [path, body] of Object.entries(sizes)) {
      const url = `${path}-twice`;
      const { status, bytes } = await inject({ url, headers: { "accept-encoding": "gzip" } });
      assert.deepEqual([status, decode(bytes, "gzip")], [200, body]);
      const { message } = await failures.find((failure) => failure.path === url);
      assert.equal(message, "Failed to handle request after the response was sent");
    }
  });

  it("counts the bytes that were sent", async (t) => {
    const { inject, facts } = await createSite(t);
    for (const url of ["/medium", "/huge", "/long-stream"]) {
      const { bytes } = await inject({ url, headers: { "accept-encoding": "br" } });
      const { bytesSent } = await facts.find(({ path }) => path === url);
      assert.equal(bytesSent, bytes.length);
    }
  });

  it("obeys its options", async (t) => {
    const { inject } = await createSite(t, {
      encodings: ["gzip", "br"],
      minBytes: 5,
      types: /^(?:application\/json|text\/event-stream)$/g,
      levels: { gzip: 1 },
    });
    const send = async (url: string) =>
      (await inject({ url, headers: { "accept-encoding": "gzip, br, zstd" } })).headers["content-encoding"];
    for (let turn = 0; turn < 2; turn++) {
      assert.equal(await send("/small"), "gzip");
      assert.equal(await send("/events"), "gzip");
      assert.equal(await send("/stream"), undefined);
    }
  });

  const wrong: [options: object, message: RegExp][] = [
    [{ encodings: ["gzip", "deflate"] }, /^compress expects the encodings .*, got "deflate"\.$/],
    [{ encodings: [] }, /got none\.$/],
    [{ minBytes: Number.NaN }, /^compress expects minBytes of at least 0, got NaN\.$/],
    [{ minBytes: -1 }, /got -1\.$/],
    [{ types: "text/plain" }, /^compress expects a regular expression for types/],
    [{ levels: { gzip: 10 } }, /^compress expects a gzip level from 1 to 9, got 10\.$/],
    [{ threshold: 10 }, /^compress has no option "threshold"\. It has encodings, minBytes, types, levels\.$/],
    [{ levels: { deflate: 3 } }, /^compress has no level for the encoding "deflate"\.$/],
  ];
  for (const [options, message] of wrong) {
    it(`refuses the options ${JSON.stringify(options)}`, () => {
      assert.throws(() => compress(options), { name: "TypeError", message });
    });
  }
});

describe("over a real connection, compress", () => {
  it("is understood by fetch, whatever it accepts", async (t) => {
    const { listen } = await createSite(t);
    const url = `http://127.0.0.1:${await listen()}`;
    const random = new Random(7);
    const names = ["gzip", "br", "zstd", "identity", "*"];
    for (let count = 0; count < 60; count++) {
      const entries = random.list(4, () => `${random.pick(names)};q=${random.pick(["0", "0.5", "1"])}`);
      const path = random.pick(["/huge", "/medium", "/small", "/stream", "/long-stream", "/svg"]);
      const accepted = entries.join(", ");
      const plain = await (await fetch(url + path, { headers: { "accept-encoding": "identity" } })).text();
      // Node decodes zstd since version 24 only.
      const response = await fetch(url + path, { headers: { "accept-encoding": accepted } });
      if (response.headers.get("content-encoding") === "zstd" && !canFetchZstd) continue;
      assert.equal(await response.text(), plain, `${path} for ${accepted}`);
    }
  });

  it("sends each part of a stream when the stream pauses", async (t) => {
    const source = new Readable({ read() {} });
    const { listen } = await createListener(t, (router) => {
      router.bind(compress({ encodings: ["gzip"], types: /^text\// }));
      router.get("/events", (e) => e.stream(200, "text/event-stream", source));
    });
    const request = httpGet({
      port: await listen(),
      path: "/events",
      headers: { "accept-encoding": "gzip" },
    });
    t.after(() => request.destroy());
    source.push("data: 0\n\n");
    const [response] = await settles("the response starts", once(request, "response"));
    assert.equal(response.headers["content-encoding"], "gzip");
    let received = "";
    response.pipe(createGunzip()).on("data", (chunk: Buffer) => {
      received += chunk.toString();
    });
    for (let index = 0; index < 5; index++) {
      if (index > 0) source.push(`data: ${index}\n\n`);
      await until("the event arrives", () => received.includes(`data: ${index}\n\n`));
    }
    source.push(null);
    await settles("the response ends", once(response, "end"));
  });

  it("ends an event stream properly when the server stops", async (t) => {
    const source = new Readable({ read() {} });
    const { listener, listen } = await createListener(t, (router) => {
      router.bind(compress({ types: /^text\// }));
      router.get("/events", (e) => e.stream(200, "text/event-stream", source));
    });
    const url = `http://127.0.0.1:${await listen()}/events`;
    source.push("data: 1\n\n");
    const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    assert.equal(response.headers.get("content-encoding"), "gzip");
    const closed = listener.close(60_000);
    assert.equal(await settles("the response ends", response.text()), "data: 1\n\n");
    await settles("the server stops", closed);
    assert.equal(source.destroyed, true);
  });

  it("destroys the stream when the client disconnects", async (t) => {
    const source = new Readable({ read() {} });
    const { listen, facts } = await createListener(t, (router) => {
      router.bind(compress());
      router.get("/endless", (e) => e.stream(200, "text/plain", source));
    });
    const request = httpGet({
      port: await listen(),
      path: "/endless",
      headers: { "accept-encoding": "gzip" },
    });
    request.on("error", () => {});
    source.push("first");
    const [response] = await settles("the response starts", once(request, "response"));
    response.on("error", () => {});
    response.destroy();
    await until("the stream is destroyed", () => source.destroyed);
    assert.equal((await facts.find()).aborted, true);
  });

  it("closes the connection if the stream fails after it has begun", async (t) => {
    const source = new Readable({ read() {} });
    const { listen, failures } = await createListener(t, (router) => {
      router.bind(compress());
      router.get("/failing", (e) => e.stream(200, "text/plain", source));
    });
    const url = `http://127.0.0.1:${await listen()}/failing`;
    source.push("first");
    const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    source.destroy(new Error("lost"));
    await assert.rejects(response.text());
    assert.equal(((await failures.find()).error as Error).message, "lost");
  });

  it("reports a stream that fails before it has begun as an error, without an encoding", async (t) => {
    const { inject } = await createListener(t, (router) => {
      router.bind(compress());
      router.get("/failing", (e) => {
        e.setHeader("ETag", '"v1"');
        const body = new Readable({ read: () => void body.destroy(new Error("lost")) });
        return e.stream(200, "text/plain", body);
      });
    });
    const { status, headers, json } = await inject({
      url: "/failing",
      headers: { "accept-encoding": "gzip" },
    });
    assert.deepEqual([status, headers["content-encoding"], headers.etag], [500, undefined, undefined]);
    assert.equal(json<{ status: number }>().status, 500);
  });
});

const canFetchZstd = Number(process.versions.node.split(".")[0]) >= 24;
