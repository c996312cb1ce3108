import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after } from "node:test";
import { z } from "zod";
import { eventually } from "../../lib/testing/until.ts";
import { bodyLimit, type ErrorBody, type RequestEvent, type UploadedFile } from "../index.ts";
import { createListener, type TestListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { Wire } from "../testing/wire.ts";

// A folder for this file alone, so that what is found there is its own.
const folder = mkdtempSync(join(tmpdir(), "annex-multipart-"));
process.env.TMPDIR = folder;
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes multipart by hand, so that it can be wrong. */
function multipart(...parts: string[]): string {
  return `${parts.map((part) => `--x\r\n${part}\r\n`).join("")}--x--\r\n`;
}

function field(name: string, value: string): string {
  return `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
}

function file(name: string, filename: string, content: string, type = "text/plain"): string {
  return `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${content}`;
}

/** Cuts a body at these places. */
function pieces(body: string, cuts: readonly number[]): string[] {
  return [0, ...cuts].map((start, index) => body.slice(start, cuts[index]));
}

function send({ inject }: TestListener, body: string | Readable, type = "multipart/form-data; boundary=x") {
  const framing = typeof body === "string" ? {} : { "transfer-encoding": "chunked" };
  return inject({ method: "POST", url: "/x", body, headers: { "content-type": type, ...framing } });
}

/** Files described, everything else as it is. */
async function describe(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(describe));
  if (typeof value !== "object" || value === null) return value;
  if ("stream" in value) {
    const { name, type, size, path } = value as UploadedFile;
    return { name, type, size, content: await readFile(path, "latin1") };
  }
  const entries = Object.entries(value).map(async ([key, inner]) => [key, await describe(inner)]);
  return Object.fromEntries(await Promise.all(entries));
}

const echo = async (e: RequestEvent) => e.json(200, await describe(await e.bindBody()));

const rows: { name: string; body: string; value: object }[] = [
  { name: "fields", body: multipart(field("a", "1"), field("b", "é")), value: { a: "1", b: "é" } },
  { name: "fields of one name", body: multipart(field("a", "1"), field("a", "2")), value: { a: ["1", "2"] } },
  { name: "an empty field", body: multipart(field("a", "")), value: { a: "" } },
  { name: "no parts", body: "--x--\r\n", value: {} },
  {
    name: "a file",
    body: multipart(file("f", "a.txt", "hello")),
    value: { f: { name: "a.txt", type: "text/plain", size: 5, content: "hello" } },
  },
  {
    name: "an empty file",
    body: multipart(file("f", "a.txt", "")),
    value: { f: { name: "a.txt", type: "text/plain", size: 0, content: "" } },
  },
  {
    name: "files of one name, in their order,",
    body: multipart(
      file("f", "1", "x".repeat(300_000)),
      file("f", "2", "two"),
      field("a", "1"),
      file("f", "3", ""),
    ),
    value: {
      f: [
        { name: "1", type: "text/plain", size: 300_000, content: "x".repeat(300_000) },
        { name: "2", type: "text/plain", size: 3, content: "two" },
        { name: "3", type: "text/plain", size: 0, content: "" },
      ],
      a: "1",
    },
  },
  {
    name: "a file named like a path",
    body: multipart(file("f", "../../etc/passwd", "x")),
    value: { f: { name: "passwd", type: "text/plain", size: 1, content: "x" } },
  },
  {
    name: "a file named like a path of Windows",
    body: multipart(file("f", "C:\\\\dir\\\\a.txt", "x")),
    value: { f: { name: "a.txt", type: "text/plain", size: 1, content: "x" } },
  },
  {
    name: "a file named like a folder",
    body: multipart(file("f", "..", "x")),
    value: { f: { name: "", type: "text/plain", size: 1, content: "x" } },
  },
  {
    name: "a file and a field of one name",
    body: multipart(file("f", "a", "x"), field("f", "y")),
    value: { f: [{ name: "a", type: "text/plain", size: 1, content: "x" }, "y"] },
  },
  {
    name: "fields that only look dangerous",
    body: multipart(field("constructor", "1"), field("toString", "2")),
    value: { constructor: "1", toString: "2" },
  },
];

for (const { name, body, value } of rows) {
  test(`a multipart body of ${name} is bound`, async (t) => {
    const server = await createListener(t, (router) => router.post("/x", echo));
    const response = await send(server, body);
    assert.equal(response.status, 200, response.body);
    assert.deepEqual(response.json(), value);
  });
}

test("a file is on disk during the request, readable only by this user, and removed afterwards", async (t) => {
  let path = "";
  const { inject } = await createListener(t, (router) => {
    router.post("/x", async (e) => {
      const { f } = await e.bindBody<{ f: UploadedFile }>();
      path = f.path;
      assert.equal(await readFile(path, "utf8"), "hello");
      assert.equal(await text(f.stream()), "hello");
      assert.deepEqual(Buffer.from(await f.bytes()), Buffer.from("hello"));
      return e.noContent();
    });
  });
  const body = new FormData();
  body.set("f", new File(["hello"], "a.txt"));
  assert.equal((await inject({ method: "POST", url: "/x", body })).status, 204);
  await removed(dirname(path));
});

test("files are removed when the handler fails", async (t) => {
  let path = "";
  const server = await createListener(t, (router) => {
    router.post("/x", async (e) => {
      path = (await e.bindBody<{ f: UploadedFile }>()).f.path;
      throw new Error("boom");
    });
  });
  assert.equal((await send(server, multipart(file("f", "a", "x")))).status, 500);
  await removed(dirname(path));
});

const refused: { name: string; body: string | Readable; type?: string; status: number; message: RegExp }[] = [
  {
    name: "without a boundary",
    type: "multipart/form-data",
    body: multipart(field("a", "1")),
    status: 400,
    message: /^The request body is not valid multipart: .*[Bb]oundary/,
  },
  {
    name: "without its end",
    body: multipart(field("a", "1")).slice(0, -8),
    status: 400,
    message: /not valid multipart: Unexpected end/,
  },
  {
    name: "that ends in a file",
    body: multipart(file("f", "a", "hello")).slice(0, -8),
    status: 400,
    message: /not valid multipart: .*[Uu]nexpected end/,
  },
  {
    name: "that ends in a large file",
    body: multipart(file("f", "a", "x".repeat(300_000))).slice(0, -1000),
    status: 400,
    message: /not valid multipart: .*[Uu]nexpected end/,
  },
  {
    name: "that ends in the second of two files",
    body: multipart(file("f", "a", "one"), file("f", "b", "two")).slice(0, -8),
    status: 400,
    message: /not valid multipart: .*[Uu]nexpected end/,
  },
  {
    name: "of nothing, in chunks",
    body: Readable.from([]),
    status: 400,
    message: /not valid multipart: .*[Uu]nexpected end/,
  },
  ...["--x\r\n\r\n--x--", "--x\r\n\r\n--x--\r\n"].map((body) => ({
    name: `of ${body.length} bytes with a part without a header block`,
    body,
    status: 400,
    message: /not valid multipart: a part has no valid header block/,
  })),
  {
    name: "with a part without a header block before a file",
    body: `--x\r\n\r\n${multipart(file("f", "a", "x".repeat(300_000)))}`,
    status: 400,
    message: /not valid multipart: a part has no valid header block/,
  },
  {
    name: "with a long part without a name, in pieces",
    body: Readable.from(pieces(multipart(`Content-Type: text/plain\r\n\r\n${"y".repeat(70_000)}`), [10, 20])),
    status: 400,
    message: /not valid multipart: a part has no valid header block/,
  },
  { name: "that is invalid", body: "hello", status: 400, message: /not valid multipart/ },
  {
    name: "with a field __proto__",
    body: multipart(field("__proto__", "1")),
    status: 400,
    message: /the field name __proto__ is not allowed/,
  },
  {
    name: "with a file __proto__",
    body: multipart(file("__proto__", "a", "1")),
    status: 400,
    message: /the field name __proto__ is not allowed/,
  },
  {
    name: "with a part without a name",
    body: multipart("Content-Disposition: form-data\r\n\r\n1"),
    status: 400,
    message: /a part has no name/,
  },
  {
    name: "with a file without a name",
    body: multipart('Content-Disposition: form-data; filename="a"\r\n\r\n1'),
    status: 400,
    message: /a part has no name/,
  },
  {
    name: "with too many fields",
    body: multipart(...Array.from({ length: 1001 }, (_, n) => field(`n${n}`, ""))),
    status: 400,
    message: /too many parts/,
  },
  {
    name: "with too many files",
    body: multipart(...Array.from({ length: 101 }, (_, n) => file("f", `${n}`, ""))),
    status: 400,
    message: /too many parts/,
  },
  {
    name: "larger than the limit",
    body: multipart(file("f", "a", "x".repeat(1_048_576))),
    status: 413,
    message: /larger than the limit of 1048576 bytes/,
  },
];

for (const { name, body, type, status, message } of refused) {
  test(`a multipart body ${name} is refused with ${status}, and leaves nothing behind`, async (t) => {
    const server = await createListener(t, (router) => router.post("/x", echo));
    const response = await send(server, body, type);
    assert.equal(response.status, status, response.body);
    assert.match(response.json<ErrorBody>().message, message);
    assert.deepEqual(server.failures.items, []);
    await eventually(() => leftovers().length === 0);
  });
}

test("a multipart body that grows beyond the limit is refused while it comes, and leaves nothing behind", async (t) => {
  const { listen } = await createListener(t, (router) => router.post("/x", echo).bind(bodyLimit(100_000)));
  const wire = await Wire.connect(t, await listen());
  wire.request([
    "POST /x HTTP/1.1",
    "Host: x",
    "Content-Type: multipart/form-data; boundary=x",
    "Transfer-Encoding: chunked",
  ]);
  const chunk = (content: string) => wire.send(`${content.length.toString(16)}\r\n${content}\r\n`);
  chunk(`--x\r\n${file("f", "a", "")}`);
  for (let sent = 0; sent < 20; sent++) chunk("y".repeat(10_000));
  assert.equal((await wire.response()).status, 413);
  wire.socket.destroy();
  await eventually(() => leftovers().length === 0);
});

test("a client that leaves in the middle of a file leaves nothing behind", async (t) => {
  const { listen, facts, failures } = await createListener(t, (router) => {
    router.post("/x", async (e) => {
      reading();
      return echo(e);
    });
  });
  let reading = () => {};
  const isReading = new Promise<void>((resolve) => {
    reading = resolve;
  });
  const wire = await Wire.connect(t, await listen());
  wire.request(
    [
      "POST /x HTTP/1.1",
      "Host: x",
      "Content-Type: multipart/form-data; boundary=x",
      "Content-Length: 100000",
    ],
    `--x\r\n${file("f", "a", "y".repeat(5000))}`,
  );
  await isReading;
  await eventually(() => leftovers().length > 0);
  wire.socket.destroy();
  assert.equal((await facts.find()).aborted, true);
  await eventually(() => leftovers().length === 0);
  assert.deepEqual(failures.items, []);
});

test("a failure of the disk is the server's, and its words stay here", async (t) => {
  const server = await createListener(t, (router) => router.post("/x", echo));
  t.after(() => {
    process.env.TMPDIR = folder;
  });
  process.env.TMPDIR = "/nowhere/at/all";
  const response = await send(server, multipart(file("f", "a", "x"), field("a", "1")));
  assert.equal(response.status, 500);
  assert.doesNotMatch(response.body, /nowhere|ENOENT/);
  assert.match(String(server.failures.items[0]?.error), /ENOENT/);
});

test("a multipart body that has been read as bytes can still be bound", async (t) => {
  const server = await createListener(t, (router) => {
    router.post("/x", async (e) => {
      const { length } = await e.readBytes();
      return e.json(200, [length, await describe(await e.bindBody())]);
    });
  });
  const body = multipart(field("a", "1"), file("f", "a", "x"));
  assert.deepEqual((await send(server, body)).json(), [
    body.length,
    { a: "1", f: { name: "a", type: "text/plain", size: 1, content: "x" } },
  ]);
});

test("a multipart body is checked by a schema", async (t) => {
  const server = await createListener(t, (router) => {
    router.post("/x", async (e) => e.json(200, await e.bindBody(z.object({ a: z.coerce.number() }))));
  });
  assert.deepEqual((await send(server, multipart(field("a", "7")))).json(), { a: 7 });
  assert.deepEqual(Object.keys((await send(server, multipart(field("a", "x")))).json<ErrorBody>().data), [
    "a",
  ]);
});

/** What lies in the folder, and files of it that this process still holds open. */
function leftovers(): string[] {
  const held = readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  });
  return [...readdirSync(folder), ...held];
}

async function removed(folder: string): Promise<void> {
  await eventually(() => !existsSync(folder));
}
