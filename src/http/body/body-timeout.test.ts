import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { FakeClock, settle } from "../../lib/testing/fake-clock.ts";
import { eventually } from "../../lib/testing/until.ts";
import type { RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { Wire } from "../testing/wire.ts";

// A folder for this file alone, so that every entry in it comes from these tests.
const folder = mkdtempSync(join(tmpdir(), "annex-body-timeout-"));
process.env.TMPDIR = folder;
after(() => rmSync(folder, { recursive: true, force: true }));

const filePart = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n';

const reads: { name: string; type: string; start: string; read(e: RequestEvent): Promise<unknown> }[] = [
  { name: "JSON", type: "application/json", start: '{"a":', read: (e) => e.bindBody() },
  { name: "a form", type: "application/x-www-form-urlencoded", start: "a=1&", read: (e) => e.bindBody() },
  {
    name: "multipart fields",
    type: "multipart/form-data; boundary=x",
    start: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
    read: (e) => e.bindBody(),
  },
  {
    name: "a multipart file",
    type: "multipart/form-data; boundary=x",
    start: `${filePart}${"y".repeat(200_000)}`,
    read: (e) => e.bindBody(),
  },
  { name: "text", type: "text/plain", start: "hello", read: (e) => e.readText() },
  { name: "bytes", type: "application/octet-stream", start: "hello", read: (e) => e.readBytes() },
];

/** A server whose handler reads the body, and a client that has sent the start of one. */
async function startUpload(t: TestContext, { type, start, read }: (typeof reads)[number]) {
  const clock = new FakeClock(0);
  let socket: Socket | undefined;
  const server = await createListener(
    t,
    (router) =>
      router.post("/x", async (e) => {
        socket = e.request.socket;
        await read(e);
        return e.noContent();
      }),
    { clock },
  );
  const wire = await Wire.connect(t, await server.listen());
  const head = ["POST /x HTTP/1.1", "Host: x", `Content-Type: ${type}`, "Content-Length: 1000000"];
  const headBytes = `${head.join("\r\n")}\r\n\r\n`.length;
  let sent = headBytes + start.length;
  const arrived = () => eventually(() => socket?.bytesRead === sent);
  wire.request(head, start);
  await arrived();
  const send = async (text: string) => {
    sent += text.length;
    wire.send(text);
    await arrived();
    await settle();
  };
  return { clock, wire, send, ...server };
}

for (const row of reads) {
  test(`a body of ${row.name} that stops arriving gets 408, and the connection ends`, async (t) => {
    const { clock, wire, failures } = await startUpload(t, row);
    await settle();
    // The first check finds the bytes that have arrived since the start.
    clock.advance(60_000);
    clock.advance(60_000);
    const response = await wire.response();
    assert.equal(response.status, 408);
    assert.equal(response.json().message, "Request body timeout: no progress for 60000 ms.");
    assert.equal(response.headers.get("connection"), "close");
    await wire.closed;
    assert.deepEqual(failures.items, []);
    await eventually(() => readdirSync(folder).length === 0);
  });
}

test("a body that arrives slowly is not refused", async (t) => {
  const { clock, wire, send } = await startUpload(t, reads.find(({ name }) => name === "bytes")!);
  for (let minute = 0; minute < 20; minute++) {
    await send("x".repeat(10));
    clock.advance(60_000);
  }
  await send("x".repeat(1_000_000 - "hello".length - 200));
  assert.equal((await wire.response()).status, 204);
});

test("a schema that never responds is an error of the application", async (t) => {
  const clock = new FakeClock(0);
  let validating = () => {};
  const isValidating = new Promise<void>((resolve) => {
    validating = resolve;
  });
  const schema: StandardSchemaV1 = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate() {
        validating();
        return new Promise(() => {});
      },
    },
  };
  const { inject, failures } = await createListener(
    t,
    (router) => router.post("/x", async (e) => e.json(200, await e.bindBody(schema))),
    { clock },
  );
  const response = inject({ method: "POST", url: "/x", body: {} });
  await isValidating;
  await settle();
  clock.advance(60_000);
  assert.equal((await response).status, 500);
  assert.match(String(failures.items[0]?.error), /Schema validation .* took longer than 60000 ms/);
});
