import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createTodosApp } from "../examples/todos/app.ts";
import type { App, ErrorBody } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";

/** Resolves when the connection has closed, however that came about. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/**
 * What careless and hostile clients send, against the whole example on a real port: each gets a clear response in the
 * one error shape, and afterwards the server works as before.
 */
describe("bad input", () => {
  let app: App;
  let folder: string;
  let port: number;
  let key: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "annex-bad-input-"));
    app = createTodosApp({
      port: 0,
      dataDir: folder,
      signals: false,
      log: { destination: join(folder, "app.log") },
      limits: { stalledTimeoutMs: 2_000 },
    });
    await app.superusers.create("root@example.com", "correct horse");
    ({ port } = await app.start());
    const person = await exchange(requestText("POST", "/api/v1/people", json, '{"name":"Ada"}'));
    key = (person.body as unknown as { key: string }).key;
  });

  after(async () => {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const json = ["Content-Type: application/json"];

  function requestText(
    method: string,
    path: string,
    headers: string[] = [],
    body: string | Buffer = "",
  ): Buffer {
    const head = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers];
    const length = body.length > 0 ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
    return Buffer.concat([Buffer.from(`${[...head, ...length].join("\r\n")}\r\n\r\n`), Buffer.from(body)]);
  }

  /** Sends bytes as they are, and reads the response to its end. */
  async function exchange(
    bytes: Buffer,
  ): Promise<{ status: number; trace: string | undefined; body: ErrorBody }> {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    // A server that has said no may close before it has taken everything.
    socket.on("error", () => {});
    socket.write(bytes);
    await closeOf(socket);
    const [head = "", body = ""] = Buffer.concat(chunks).toString().split("\r\n\r\n", 2);
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
      trace: /^x-trace-id: (\S+)/im.exec(head)?.[1],
      body: body === "" ? undefined : JSON.parse(body),
    } as Awaited<ReturnType<typeof exchange>>;
  }

  const signed = () => [...json, `Authorization: Bearer ${key}`];
  const post = (body: string | Buffer, headers = signed()) =>
    requestText("POST", "/api/v1/todos", headers, body);
  const login = (identity: unknown, password: unknown) =>
    requestText(
      "POST",
      "/api/collections/_superusers/auth-with-password",
      json,
      JSON.stringify({ identity, password }),
    );
  const list = (token: string) =>
    requestText("GET", "/api/collections/_superusers/records", [`Authorization: Bearer ${token}`]);

  const scenarios: { what: string; send: () => Buffer; status: number; says: RegExp }[] = [
    { what: "malformed JSON", send: () => post('{"title": '), status: 400, says: /not valid JSON/ },
    {
      what: "another content type",
      send: () => post("<a/>", ["Content-Type: text/xml", `Authorization: ${signed()[1]!.slice(15)}`]),
      status: 415,
      says: /text\/xml/,
    },
    {
      what: "another encoding",
      send: () => post("{}", ["Content-Type: application/json; charset=utf-16", signed()[1]!]),
      status: 415,
      says: /UTF-8/,
    },
    {
      what: "a body of 10 MB",
      send: () => post(`{"title":"${"x".repeat(10_000_000)}"}`),
      status: 413,
      says: /larger than the limit of 1048576 bytes/,
    },
    { what: "no body at all", send: () => post(""), status: 400, says: /no body/ },
    {
      what: "deep JSON",
      send: () => post("[".repeat(5_000) + "]".repeat(5_000)),
      status: 400,
      says: /nested/,
    },
    {
      what: "JSON that reaches for a prototype",
      send: () => post('{"__proto__":{"title":"x"}}'),
      status: 400,
      says: /prototype/,
    },
    {
      what: "bytes that are no UTF-8",
      send: () => post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
      status: 400,
      says: /UTF-8/,
    },
    { what: "a wrong type", send: () => post('{"title":5}'), status: 400, says: /title/ },
    { what: "an array instead of an object", send: () => post("[1]"), status: 400, says: /title|object/ },
    { what: "null instead of an object", send: () => post("null"), status: 400, says: /object/ },
    {
      what: "a null byte in the path",
      send: () => requestText("GET", "/api/v1/todos/a%00b"),
      status: 400,
      says: /null byte/,
    },
    {
      what: "a path that climbs",
      send: () => requestText("GET", "/api/v1/todos/.."),
      status: 400,
      says: /dot segment/,
    },
    {
      what: "a path that climbs in disguise",
      send: () => requestText("GET", "/api/v1/todos/%2e%2e%2fetc"),
      status: 400,
      says: /dot segment/,
    },
    {
      what: "broken percent-encoding",
      send: () => requestText("GET", "/api/v1/todos/%zz"),
      status: 400,
      says: /percent-encoding/,
    },
    {
      what: "a path of a thousand segments",
      send: () => requestText("GET", "/a".repeat(1_000)),
      status: 404,
      says: /No route matches GET/,
    },
    {
      what: "an unknown ID",
      send: () => requestText("GET", "/api/v1/todos/none"),
      status: 404,
      says: /Todo not found/,
    },
    {
      what: "an unknown method",
      send: () => requestText("PATCH", "/api/v1/todos"),
      status: 405,
      says: /Allowed methods: GET/,
    },
    {
      what: "headers of 64 KB",
      send: () => requestText("GET", "/api/v1/todos", [`X-Long: ${"x".repeat(65_536)}`]),
      status: 431,
      says: /headers are too large/,
    },
    {
      what: "two lengths",
      send: () => requestText("POST", "/api/v1/todos", ["Content-Length: 2", "Content-Length: 3"], ""),
      status: 400,
      says: /HTTP/,
    },
    {
      what: "a length beside chunks",
      send: () =>
        requestText("POST", "/api/v1/todos", ["Transfer-Encoding: chunked", "Content-Length: 3"], ""),
      status: 400,
      says: /HTTP/,
    },
    {
      what: "bytes that are no HTTP",
      send: () => Buffer.from("\u0016\u0003\u0001 hello\r\n\r\n"),
      status: 400,
      says: /HTTP/,
    },
    { what: "an empty password", send: () => login("root@example.com", ""), status: 400, says: /./ },
    {
      what: "a password of 10 KB",
      send: () => login("root@example.com", "x".repeat(10_240)),
      status: 400,
      says: /./,
    },
    {
      what: "a password that is no text",
      send: () => login("root@example.com", { $ne: "" }),
      status: 400,
      says: /./,
    },
    {
      what: "a wrong password",
      send: () => login("root@example.com", "wrong horse"),
      status: 400,
      says: /Invalid email or password/,
    },
    {
      what: "a token that is none",
      send: () => list("x".repeat(5_000)),
      status: 401,
      says: /Authentication required/,
    },
    {
      what: "two tokens",
      send: () =>
        requestText("GET", "/api/collections/_superusers/records", ["Authorization: a", "Authorization: b"]),
      status: 401,
      says: /Authentication required/,
    },
  ];

  for (const { what, send, status, says } of scenarios) {
    it(what, async () => {
      const response = await exchange(send());
      assert.equal(response.status, status, JSON.stringify(response.body));
      assert.equal(response.body.status, status);
      assert.match(response.body.message + JSON.stringify(response.body.data), says);
      assert.match(response.trace!, /^[A-Za-z0-9]{18}$/);
      assert.equal(response.body.trace_id, response.trace);
      assert.equal((await exchange(requestText("GET", "/api/health"))).status, 200);
    });
  }

  it("a token of another server", async () => {
    const otherFolder = mkdtempSync(join(tmpdir(), "annex-other-"));
    const other = createTodosApp({
      dataDir: otherFolder,
      signals: false,
      log: { destination: join(otherFolder, "log"), store: false },
    });
    try {
      await other.superusers.create("root@example.com", "correct horse");
      const response = await other.inject({
        method: "POST",
        url: "/api/collections/_superusers/auth-with-password",
        body: { identity: "root@example.com", password: "correct horse" },
      });
      assert.equal((await exchange(list(response.json<{ token: string }>().token))).status, 401);
    } finally {
      await other.stop();
      rmSync(otherFolder, { recursive: true, force: true });
    }
  });

  it("a client that stops reading is cut off", async () => {
    const rows = Array.from({ length: 500 }, (_, index) => `line ${index} ${"x".repeat(150)}`).join("\n");
    const body = new FormData();
    body.set("file", new File([rows], "todos.txt"));
    for (let round = 0; round < 10; round++) {
      await fetch(`http://127.0.0.1:${port}/api/v2/todos/import`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, connection: "close" },
        body,
      });
    }
    const socket = connect({ port, host: "127.0.0.1" });
    socket.pause();
    socket.on("error", () => {});
    // Enough responses to fill every buffer between the two.
    for (let count = 0; count < 12; count++)
      socket.write(requestText("GET", "/api/v1/todos").toString().replace("Connection: close\r\n", ""));
    const closed = closeOf(socket);
    // The server has accepted the connection. Nothing is read from it.
    await once(socket, "readable");
    await until("only the connection that asks is open", connections, (count) => count === 1);
    socket.resume();
    await closed;
  });

  async function connections(): Promise<number> {
    const response = await exchange(requestText("GET", "/api/health"));
    return (response.body as unknown as { active_connections: number }).active_connections;
  }
});
