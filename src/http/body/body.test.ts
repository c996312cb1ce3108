import assert from "node:assert/strict";
import { once } from "node:events";
import { Readable } from "node:stream";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { bodyLimit, type ErrorBody, type InjectRequest, type RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const echo = async (e: RequestEvent) => e.json(200, await e.bindBody());

test("null is refused, unless a schema allows it", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.post("/plain", echo);
    router.post("/checked", async (e) => e.json(200, await e.bindBody(z.null())));
  });
  const send = (url: string) =>
    inject({ method: "POST", url, headers: { "content-type": json }, body: "null" });
  const refused = await send("/plain");
  assert.equal(refused.status, 400);
  assert.equal(refused.json<ErrorBody>().message, "The request body must be a JSON object.");
  assert.equal((await send("/checked")).status, 200);
});

test("middleware can change the content type", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.post("/", echo).bind((e) => {
      e.request.headers["content-type"] = json;
      return e.next();
    });
  });
  const headers = { "content-type": "text/plain" };
  const { body } = await inject({ method: "POST", url: "/", headers, body: '{"a":1}' });
  assert.equal(body, '{"a":1}');
});

test("a route that takes an object refuses every other JSON value", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const route = router.post("/", echo) as unknown as { takesObject: boolean };
    route.takesObject = true;
  });
  const send = async (body: string) =>
    (await inject({ method: "POST", url: "/", headers: { "content-type": json }, body })).status;
  assert.deepEqual(await Promise.all(["{}", "[]", "1", '"a"', "null"].map(send)), [200, 400, 400, 400, 400]);
});

const bound: { name: string; type: string; body: string | Uint8Array | Readable; value: unknown }[] = [
  { name: "JSON", type: json, body: '{"a":[1,"é",null]}', value: { a: [1, "é", null] } },
  { name: "JSON with a charset", type: `${json}; charset=utf-8`, body: "{}", value: {} },
  {
    name: "JSON with a charset in other letters",
    type: 'Application/JSON;Charset="UTF-8"',
    body: "{}",
    value: {},
  },
  { name: "JSON with the charset's other name", type: `${json};charset=utf8`, body: "{}", value: {} },
  { name: "JSON with another parameter", type: `${json}; version=1`, body: "{}", value: {} },
  { name: "JSON of a kind", type: "application/merge-patch+json", body: "[]", value: [] },
  { name: "JSON behind a byte order mark", type: json, body: "\ufeff[1]", value: [1] },
  { name: "JSON that is a plain value", type: json, body: "0", value: 0 },
  { name: "JSON in chunks", type: json, body: Readable.from(['{"a":', "1}"]), value: { a: 1 } },
  {
    name: "JSON whose letters are cut in two by chunks",
    type: json,
    body: Readable.from([Buffer.from([0x22, 0xc3]), Buffer.from([0xa9, 0x22])]),
    value: "é",
  },
  {
    name: "JSON as deep as is allowed",
    type: json,
    body: "[".repeat(100) + "]".repeat(100),
    value: JSON.parse("[".repeat(100) + "]".repeat(100)),
  },
  {
    name: "JSON with many brackets in its text",
    type: json,
    body: JSON.stringify({ a: `\\"${"[{".repeat(300)}` }),
    value: { a: `\\"${"[{".repeat(300)}` },
  },
  {
    name: "JSON with words that only look dangerous",
    type: json,
    body: '{"a":"__proto__","constructor":1,"prototype":{}}',
    value: { a: "__proto__", constructor: 1, prototype: {} },
  },
  { name: "form fields", type: form, body: "a=1&b=%C3%A9+x", value: { a: "1", b: "é x" } },
  {
    name: "form fields of one name",
    type: form,
    body: "a=1&b=x&a=2&a=3",
    value: { a: ["1", "2", "3"], b: "x" },
  },
  {
    name: "form fields with brackets, as they are",
    type: form,
    body: "a[b]=1&a[]=2",
    value: { "a[b]": "1", "a[]": "2" },
  },
  {
    name: "form fields that only look dangerous",
    type: form,
    body: "constructor=1&toString=2&constructor[prototype]=3",
    value: { constructor: "1", toString: "2", "constructor[prototype]": "3" },
  },
  {
    name: "as many form fields as are allowed",
    type: form,
    body: Array.from({ length: 1_000 }, () => "a=1").join("&"),
    value: { a: Array.from({ length: 1_000 }, () => "1") },
  },
  { name: "an empty form field", type: `${form}; charset=UTF-8`, body: "a=&b", value: { a: "", b: "" } },
];

for (const { name, type, body, value } of bound) {
  test(`a body of ${name} is bound`, async (t) => {
    const { inject } = await createListener(t, (router) => router.post("/x", echo));
    const response = await inject({ method: "POST", url: "/x", body, headers: { "content-type": type } });
    assert.equal(response.status, 200, response.body);
    assert.deepEqual(response.json(), value);
  });
}

const refused: { name: string; request: Partial<InjectRequest>; status: number; message: RegExp }[] = [
  {
    name: "without a body",
    request: {},
    status: 400,
    message: /^The request has no body, but this route expects one\.$/,
  },
  { name: "of nothing", request: typed(json, ""), status: 400, message: /has no body/ },
  {
    name: "of nothing, in chunks",
    request: {
      body: Readable.from([]),
      headers: { "content-type": json, "transfer-encoding": "chunked" },
    },
    status: 400,
    message: /has no body/,
  },
  {
    name: "of multipart without a body",
    request: typed("multipart/form-data; boundary=x", ""),
    status: 400,
    message: /has no body/,
  },
  {
    name: "without a type",
    request: { body: "{}" },
    status: 415,
    message: /^The content type "" is not supported\. Send application\/json/,
  },
  { name: "of another type", request: typed("text/plain", "{}"), status: 415, message: /"text\/plain"/ },
  { name: "of an invalid type", request: typed("garbage", "{}"), status: 415, message: /"garbage"/ },
  { name: "of XML", request: typed("application/xml", "<a/>"), status: 415, message: /"application\/xml"/ },
  {
    name: "in another charset",
    request: typed(`${json}; charset=latin1`, "{}"),
    status: 415,
    message: /charset=latin1/,
  },
  {
    name: "of fields in another charset",
    request: typed(`${form}; charset=utf-16`, "a=1"),
    status: 415,
    message: /utf-16/,
  },
  ...["gzip", "br", "identity, gzip", "x-unknown"].map((encoding) => ({
    name: `with the content encoding ${encoding}`,
    request: { body: "{}", headers: { "content-type": json, "content-encoding": encoding } },
    status: 415,
    message: new RegExp(
      `^The content encoding "${encoding}" is not supported\\. Send the body uncompressed\\.$`,
    ),
  })),
  {
    name: "of compressed multipart",
    request: {
      body: "--x--",
      headers: { "content-type": "multipart/form-data; boundary=x", "content-encoding": "gzip" },
    },
    status: 415,
    message: /content encoding "gzip"/,
  },
  {
    name: "of half an object",
    request: typed(json, '{"a":'),
    status: 400,
    message: /^The request body is not valid JSON: /,
  },
  { name: "of two values", request: typed(json, "{}{}"), status: 400, message: /not valid JSON/ },
  { name: "of spaces", request: typed(json, "   "), status: 400, message: /not valid JSON/ },
  { name: "of JavaScript", request: typed(json, "{a:1}"), status: 400, message: /not valid JSON/ },
  {
    name: "that is too deep",
    request: typed(json, "[".repeat(101) + "]".repeat(101)),
    status: 400,
    message: /nested more than 100 levels/,
  },
  {
    name: "that is far too deep",
    request: typed(json, '{"a":'.repeat(100_000)),
    status: 400,
    message: /nested more than 100 levels/,
  },
  {
    name: "of JSON that is not UTF-8",
    request: typed(json, Buffer.from([0x22, 0xff, 0x22])),
    status: 400,
    message: /^The request body is not valid UTF-8: it contains invalid bytes\.$/,
  },
  {
    name: "of fields that are no UTF-8",
    request: typed(form, Buffer.from([0x61, 0x3d, 0xc3])),
    status: 400,
    message: /not valid UTF-8/,
  },
  {
    name: "with __proto__",
    request: typed(json, '{"a":{"__proto__":{"b":1}}}'),
    status: 400,
    message: /forbidden prototype property/,
  },
  {
    name: "with constructor.prototype in disguise",
    request: typed(json, '{"\\u0063onstructor":{"prototype":{"b":1}}}'),
    status: 400,
    message: /forbidden prototype property/,
  },
  {
    name: "with __proto__ in disguise",
    request: typed(json, '{"\\u005f_proto__":{"b":1}}'),
    status: 400,
    message: /forbidden prototype property/,
  },
  {
    name: "with constructor.prototype",
    request: typed(json, '{"constructor":{"prototype":{"b":1}}}'),
    status: 400,
    message: /forbidden prototype property/,
  },
  {
    name: "with more than 1,000 form fields",
    request: typed(form, Array.from({ length: 1_001 }, (_, n) => `a${n}=`).join("&")),
    status: 400,
    message: /^The request body is not valid form data: it has more than 1000 fields\.$/,
  },
  {
    name: "with a million empty form fields",
    request: typed(form, "&".repeat(1_000_000)),
    status: 400,
    message: /more than 1000 fields/,
  },
  {
    name: "with a field __proto__",
    request: typed(form, "a=1&__proto__=2"),
    status: 400,
    message: /the field name __proto__ is not allowed/,
  },
  {
    name: "with a field __proto__ in disguise",
    request: typed(form, "%5F_proto__=2"),
    status: 400,
    message: /the field name __proto__ is not allowed/,
  },
];

function typed(type: string, body: string | Uint8Array | Readable): Partial<InjectRequest> {
  return { body, headers: { "content-type": type } };
}

for (const { name, request, status, message } of refused) {
  test(`a request ${name} is refused with ${status}`, async (t) => {
    const { inject, failures } = await createListener(t, (router) => router.post("/x", echo));
    const response = await inject({ method: "POST", url: "/x", ...request });
    assert.equal(response.status, status, response.body);
    assert.match(response.json<ErrorBody>().message, message);
    assert.deepEqual(failures.items, []);
    assert.equal(({} as { b?: unknown }).b, undefined);
  });
}

const limits: { name: string; limit?: number; body: string | Readable; fits: boolean }[] = [
  { name: "as large as the server's limit", body: "x".repeat(1_048_576), fits: true },
  { name: "larger than the server's limit", body: "x".repeat(1_048_577), fits: false },
  {
    name: "as large, in chunks,",
    body: Readable.from(["x".repeat(1_000_000), "x".repeat(48_576)]),
    fits: true,
  },
  {
    name: "larger, in chunks,",
    body: Readable.from(["x".repeat(1_000_000), "x".repeat(48_577)]),
    fits: false,
  },
  { name: "larger, in one chunk,", limit: 10, body: Readable.from(["x".repeat(11)]), fits: false },
  { name: "as large as the route's limit", limit: 10, body: "x".repeat(10), fits: true },
  { name: "larger than the route's limit", limit: 10, body: "x".repeat(11), fits: false },
  {
    name: "larger than the server's limit and not the route's",
    limit: 3_000_000,
    body: "x".repeat(2_000_000),
    fits: true,
  },
  { name: "of one byte where none is allowed", limit: 0, body: "x", fits: false },
  { name: "of one byte in a chunk where none is allowed", limit: 0, body: Readable.from(["x"]), fits: false },
  { name: "of nothing where none is allowed", limit: 0, body: "", fits: true },
];

for (const { name, limit, body, fits } of limits) {
  test(`a body ${name} is ${fits ? "read" : "refused with 413"}`, async (t) => {
    const { inject } = await createListener(t, (router) => {
      const chain = router.post("/x", async (e) => e.json(200, (await e.readText()).length));
      if (limit !== undefined) chain.bind(bodyLimit(limit));
    });
    const response = await inject({ method: "POST", url: "/x", body });
    assert.equal(response.status, fits ? 200 : 413, response.body.slice(0, 200));
    if (!fits) {
      assert.equal(
        response.json<ErrorBody>().message,
        `The request body is larger than the limit of ${limit ?? 1_048_576} bytes.`,
      );
    } else if (typeof body === "string") {
      assert.equal(response.json(), body.length);
    }
  });
}

test("a limit of a route holds for middleware that reads the body before it", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.bindFunc(async (e) => {
      await e.readBytes();
      return e.next();
    });
    router.post("/x", async (e) => e.json(200, (await e.readText()).length)).bind(bodyLimit(2_000_000));
  });
  assert.equal((await inject({ method: "POST", url: "/x", body: "x".repeat(1_500_000) })).status, 200);
});

for (const bytes of [-1, 1.5, Number.NaN, "1" as never]) {
  test(`bodyLimit(${bytes}) is refused`, () => {
    assert.throws(() => bodyLimit(bytes), { message: `bodyLimit expects a number of bytes, got ${bytes}.` });
  });
}

const twice: { name: string; read: (e: RequestEvent) => Promise<unknown>; value: unknown }[] = [
  {
    name: "bound twice",
    read: async (e) => [await e.bindBody(), await e.bindBody()],
    value: [{ a: 1 }, { a: 1 }],
  },
  {
    name: "bound twice concurrently",
    read: (e) => Promise.all([e.bindBody(), e.bindBody()]),
    value: [{ a: 1 }, { a: 1 }],
  },
  {
    name: "read as text, then bound",
    read: async (e) => [await e.readText(), await e.bindBody()],
    value: ['{"a":1}', { a: 1 }],
  },
  {
    name: "bound, then read as text",
    read: async (e) => [await e.bindBody(), await e.readText()],
    value: [{ a: 1 }, '{"a":1}'],
  },
  {
    name: "read as bytes, then as text",
    read: async (e) => [(await e.readBytes()).length, await e.readText()],
    value: [7, '{"a":1}'],
  },
];

for (const { name, read, value } of twice) {
  test(`a body ${name} is the same each time`, async (t) => {
    const { inject } = await createListener(t, (router) =>
      router.post("/x", async (e) => e.json(200, await read(e))),
    );
    assert.deepEqual((await inject({ method: "POST", url: "/x", body: { a: 1 } })).json(), value);
  });
}

test("a body that is refused is refused each time", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.post("/x", async (e) => {
      const first = await e.bindBody().catch((error) => error.message);
      const second = await e.bindBody().catch((error) => error.message);
      return e.json(200, first === second);
    });
  });
  assert.equal((await inject({ method: "POST", url: "/x", ...typed(json, "{") })).json(), true);
});

test("a body that a handler has taken as a stream cannot be read again, and the log says so", async (t) => {
  const { inject, failures } = await createListener(t, (router) => {
    router.post("/x", async (e) => {
      for await (const _ of e.request);
      await e.readText();
    });
  });
  assert.equal((await inject({ method: "POST", url: "/x", body: "x" })).status, 500);
  assert.match(String(failures.items[0]?.error), /already been read as a stream/);
});

test("a request without a body reads as nothing", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const read = async (e: RequestEvent) => e.json(200, [await e.readText(), (await e.readBytes()).length]);
    router.get("/x", read);
    router.delete("/x", read);
    router.post("/x", read);
  });
  for (const method of ["GET", "DELETE", "POST"]) {
    assert.deepEqual((await inject({ method, url: "/x" })).json(), ["", 0]);
  }
});

test("a body is read whatever the method", async (t) => {
  const { inject } = await createListener(t, (router) => {
    for (const method of ["get", "delete", "put", "patch"] as const) router[method]("/x", echo);
  });
  for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
    const response = await inject({ method, url: "/x", body: { a: 1 } });
    assert.deepEqual(response.json(), { a: 1 }, method);
  }
});

test("text that is not UTF-8 is rejected, and bytes are accepted", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.post("/text", async (e) => e.text(200, await e.readText()));
    router.post("/bytes", async (e) => e.json(200, [...(await e.readBytes())]));
  });
  const body = Buffer.from([0, 255]);
  assert.equal((await inject({ method: "POST", url: "/text", body })).status, 400);
  assert.deepEqual((await inject({ method: "POST", url: "/bytes", body })).json(), [0, 255]);
});

test("a compressed body is refused as text with the encoding that is accepted, and readable as bytes", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.post("/text", async (e) => e.text(200, await e.readText()));
    router.post("/bytes", async (e) => e.json(200, [...(await e.readBytes())]));
    router.post("/plain", async (e) => e.json(200, await e.bindBody()));
  });
  const headers = { "content-encoding": "gzip" };
  const refused = await inject({ method: "POST", url: "/text", body: "x", headers });
  assert.deepEqual([refused.status, refused.headers["accept-encoding"]], [415, "identity"]);
  const raw = await inject({ method: "POST", url: "/bytes", body: Buffer.from([31, 139]), headers });
  assert.deepEqual(raw.json(), [31, 139]);
  const plain = { "content-encoding": "Identity", "content-type": json };
  assert.equal((await inject({ method: "POST", url: "/plain", body: "{}", headers: plain })).status, 200);
});

const todo = z.object({
  title: z.string().min(1, "A title is needed."),
  tags: z.array(z.object({ name: z.string("A name is text.") })).default([]),
});

const validations: { name: string; body: unknown; status: number; result: unknown }[] = [
  { name: "right", body: { title: "x", other: 1 }, status: 200, result: { title: "x", tags: [] } },
  {
    name: "wrong in one field",
    body: { title: "" },
    status: 400,
    result: { title: { code: "invalid", message: "A title is needed." } },
  },
  {
    name: "wrong deep inside, and elsewhere",
    body: { title: "", tags: [{ name: "a" }, { name: 1 }] },
    status: 400,
    result: {
      title: { code: "invalid", message: "A title is needed." },
      "tags.1.name": { code: "invalid", message: "A name is text." },
    },
  },
  {
    name: "no object at all",
    body: [],
    status: 400,
    result: { body: { code: "invalid", message: "Invalid input: expected object, received array" } },
  },
];

for (const { name, body, status, result } of validations) {
  test(`a body that is ${name} gets ${status} from its schema`, async (t) => {
    const { inject } = await createListener(t, (router) => {
      router.post("/x", async (e) => {
        const checked = await e.bindBody(todo);
        const title: string = checked.title;
        return e.json(200, { ...checked, title });
      });
    });
    const response = await inject({ method: "POST", url: "/x", body });
    assert.equal(response.status, status);
    if (status === 200) {
      assert.deepEqual(response.json(), result);
      return;
    }
    const { message, data } = response.json<ErrorBody>();
    assert.equal(message, "The request contains invalid values.");
    assert.deepEqual(data, result);
  });
}

test("form fields are checked by a schema too", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.post("/x", async (e) => e.json(200, await e.bindBody(z.object({ count: z.coerce.number() }))));
  });
  const send = (body: string) => inject({ method: "POST", url: "/x", ...typed(form, body) });
  assert.deepEqual((await send("count=7")).json(), { count: 7 });
  assert.equal((await send("count=x")).status, 400);
});

test("any schema of the standard will do, one that takes its time as well", async (t) => {
  const schema: StandardSchemaV1<unknown, { checked: unknown }> = {
    "~standard": {
      version: 1,
      vendor: "test",
      async validate(value) {
        await Promise.resolve();
        if (value === "bad") {
          return {
            issues: [
              { message: "No.", path: [{ key: "__proto__" }, Symbol("a")] },
              { message: "Not at all." },
            ],
          };
        }
        return { value: { checked: value } };
      },
    },
  };
  const { inject } = await createListener(t, (router) => {
    router.post("/x", async (e) => e.json(200, await e.bindBody(schema)));
  });
  assert.deepEqual((await inject({ method: "POST", url: "/x", body: { a: 1 } })).json(), {
    checked: { a: 1 },
  });
  const { data } = (await inject({ method: "POST", url: "/x", ...typed(json, '"bad"') })).json<ErrorBody>();
  assert.deepEqual(Object.entries(data), [
    ["__proto__.Symbol(a)", { code: "invalid", message: "No." }],
    ["body", { code: "invalid", message: "Not at all." }],
  ]);
});

const tenMegabytes = Buffer.alloc(10_000_000, "x");

for (const declared of [true, false]) {
  test(`a body of 10 MB, ${declared ? "declared" : "in chunks"}, is refused, and its sender can read why`, async (t) => {
    const { listen, facts } = await createListener(t, (router) => {
      router.post("/x", echo);
      router.get("/after", (e) => e.text(200, "after"));
    });
    const wire = await Wire.connect(t, await listen());
    const length = declared ? `Content-Length: ${tenMegabytes.length}` : "Transfer-Encoding: chunked";
    wire.request(["POST /x HTTP/1.1", "Host: x", `Content-Type: ${json}`, length]);
    if (declared) wire.send(tenMegabytes);
    else {
      for (let sent = 0; sent < tenMegabytes.length; sent += 100_000) {
        wire.send(`${(100_000).toString(16)}\r\n`);
        wire.send(tenMegabytes.subarray(sent, sent + 100_000));
        wire.send("\r\n");
      }
      wire.send("0\r\n\r\n");
    }
    const response = await wire.response();
    assert.deepEqual([response.status, response.json().status], [413, 413]);
    assert.equal((await facts.find()).contentLength, declared ? 10_000_000 : 0);
    // And the connection goes on, where it was kept.
    if (response.headers.get("connection") !== "close") {
      wire.request(get("/after"));
      assert.equal((await wire.response()).body, "after");
    }
  });
}

test("an unread body of 10 MB does not prevent the response", async (t) => {
  const { listen } = await createListener(t, (router) => {
    router.post("/x", (e) => {
      throw e.error(401, "Who are you?");
    });
  });
  const wire = await Wire.connect(t, await listen());
  wire.request(["POST /x HTTP/1.1", "Host: x", `Content-Length: ${tenMegabytes.length}`], tenMegabytes);
  assert.equal((await wire.response()).status, 401);
});

test("a client that expects 100-continue gets it", async (t) => {
  const { listen } = await createListener(t, (router) => router.post("/x", echo));
  const wire = await Wire.connect(t, await listen());
  wire.request([
    "POST /x HTTP/1.1",
    "Host: x",
    `Content-Type: ${json}`,
    "Content-Length: 7",
    "Expect: 100-continue",
  ]);
  assert.equal((await wire.response()).status, 100);
  wire.send('{"a":1}');
  assert.deepEqual((await wire.response()).json(), { a: 1 });
});

test("a handler learns that its client has left in the middle of the body", async (t) => {
  let seen: unknown;
  const { listen, facts, failures } = await createListener(t, (router) => {
    router.post("/x", async (e) => {
      reading();
      await e.bindBody().catch((error) => {
        seen = error;
        throw error;
      });
    });
  });
  let reading = () => {};
  const isReading = new Promise<void>((resolve) => {
    reading = resolve;
  });
  const wire = await Wire.connect(t, await listen());
  wire.request(["POST /x HTTP/1.1", "Host: x", `Content-Type: ${json}`, "Content-Length: 100"], '{"a":');
  await isReading;
  wire.socket.destroy();
  const fact = await facts.find();
  assert.deepEqual([fact.statusCode, fact.aborted, fact.contentLength], [499, true, 100]);
  await new Promise(setImmediate);
  assert.equal((seen as { code: string }).code, "BODY_INTERRUPTED");
  assert.deepEqual(failures.items, []);
});

for (const type of [json, "multipart/form-data; boundary=x"]) {
  test(`a handler that reads ${type} after its client has left learns that too`, async (t) => {
    const { listen, listener } = await createListener(t, (router) => {
      router.post("/x", async (e) => {
        await once(e.response, "close");
        await new Promise(setImmediate);
        learn(await e.bindBody().catch((error) => error.code));
      });
    });
    let learn: (code: unknown) => void = () => {};
    const learnt = new Promise((resolve) => {
      learn = resolve;
    });
    const wire = await Wire.connect(t, await listen());
    const arrived = once(listener.server, "request");
    wire.request(["POST /x HTTP/1.1", "Host: x", `Content-Type: ${type}`, "Content-Length: 100"], "half");
    await arrived;
    wire.socket.destroy();
    assert.equal(await learnt, "BODY_INTERRUPTED");
  });
}
