/** Annex beside the libraries that Express applications usually have. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import compression from "compression";
import express from "express";
import session from "express-session";
import helmet from "helmet";
import { createProxyMiddleware } from "http-proxy-middleware";
import { get, Wire } from "../../../src/http/testing/wire.ts";
import { type Cleanup, share } from "../../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../../src/lib/testing/temporary-folder.ts";
import { createAnnex } from "../hosts/attached.ts";
import { closed, listening, portOf } from "../hosts/host.ts";

const text = "A sentence that compresses well. ".repeat(200);

/** The server that the proxy calls. It sends headers that Annex sends too. */
async function startUpstream(t: Cleanup) {
  const server = createServer((request, response) => {
    const isMissing = request.url === "/missing";
    response.writeHead(isMissing ? 404 : 200, {
      "Content-Type": "text/plain",
      "X-Trace-ID": "from-upstream",
      ...(isMissing && { Connection: "close" }),
    });
    response.end(`upstream ${request.method} ${request.url}`);
  });
  t.after(() => closed(server));
  return `http://127.0.0.1:${portOf(await listening(server.listen(0, "127.0.0.1")))}`;
}

function createApplication(folder: string, upstream: string) {
  const app = express();
  app.use(helmet());
  app.use(session({ secret: "secret", resave: false, saveUninitialized: true, name: "connect.sid" }));
  app.use("/proxy", createProxyMiddleware({ target: upstream }));
  app.use("/static", express.static(folder));
  app.use(compression({ threshold: 0 }));
  app.get("/text", (_request, response) => void response.type("text").send(text));
  app.get("/chunks", (_request, response) => {
    response.type("text");
    for (let part = 0; part < 4; part++) response.write(text);
    response.end();
  });
  app.get("/throw", () => {
    throw Object.assign(new Error("thrown"), { status: 503 });
  });
  app.get("/visits", (request, response) => {
    const visitor = request.session as unknown as { visits?: number };
    visitor.visits = (visitor.visits ?? 0) + 1;
    response.json({ visits: visitor.visits });
  });
  return app;
}

/** The application with Annex, and the same without it. */
async function start(t: Cleanup) {
  const folder = createTemporaryFolder();
  writeFileSync(join(folder, "file.txt"), text);
  const upstream = await startUpstream(t);
  const listen = async (app: express.Express) => {
    const server = app.listen(0);
    t.after(() => closed(server));
    return portOf(await listening(server));
  };
  const app = createApplication(folder, upstream);
  const { annex, records } = createAnnex(t);
  await annex.attach(app);
  const port = await listen(app);
  const barePort = await listen(createApplication(folder, upstream));
  return { annex, records, port, barePort, url: `http://127.0.0.1:${port}` };
}

/** A raw request and its response: fetch would decompress it and hide headers. */
async function request(t: TestContext, port: number, path: string, ...headers: string[]) {
  const wire = await Wire.connect(t, port);
  wire.request([`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Connection: close", ...headers]);
  const bytes = Buffer.from(await wire.rest(), "latin1");
  const end = bytes.indexOf("\r\n\r\n");
  const lines = bytes.toString("latin1", 0, end).split("\r\n").slice(1);
  const values = (name: string) =>
    lines
      .filter((line) => line.toLowerCase().startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2));
  return { status: Number(bytes.toString("latin1", 9, 12)), values, body: bytes.subarray(end + 4) };
}

/** Joins the chunks of a body. */
function joinChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, lineEnd), 16);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

describe("Annex on an Express application with libraries", () => {
  const sides = share(start);

  for (const path of ["/text", "/chunks"]) {
    it(`counts the compressed bytes of ${path}`, async (t: TestContext) => {
      const { port, records } = await sides();
      const { values, body } = await request(t, port, path, "Accept-Encoding: gzip");
      assert.deepEqual(values("content-encoding"), ["gzip"]);
      const traces = values("x-trace-id");
      assert.equal(traces.length, 1);
      const sent = values("transfer-encoding").includes("chunked") ? joinChunks(body) : body;
      assert.ok(gunzipSync(sent).toString().startsWith(text));
      const record = await records.trace(traces[0]!);
      assert.deepEqual([record.bytes, record.route], [sent.length, path]);
    });
  }

  it("counts the bytes of a file, and of a part of it", async (t: TestContext) => {
    const { port, records } = await sides();
    const whole = await request(t, port, "/static/file.txt");
    assert.deepEqual([whole.status, whole.body.toString()], [200, text]);
    assert.equal((await records.trace(whole.values("x-trace-id")[0]!)).bytes, text.length);
    const part = await request(t, port, "/static/file.txt", "Range: bytes=2-11");
    assert.deepEqual([part.status, part.body.toString()], [206, text.slice(2, 12)]);
    assert.equal((await records.trace(part.values("x-trace-id")[0]!)).bytes, 10);
    const etag = whole.values("etag")[0];
    const same = await request(t, port, "/static/file.txt", `If-None-Match: ${etag}`);
    assert.deepEqual([same.status, same.body.length], [304, 0]);
    assert.equal((await records.trace(same.values("x-trace-id")[0]!)).bytes, 0);
  });

  it("keeps the headers of both apart", async (t: TestContext) => {
    const { port } = await sides();
    const own = await request(t, port, "/_/_", "Accept: text/html");
    const app = await request(t, port, "/text");
    const [ownPolicy, appPolicy] = [own, app].map(({ values }) => values("content-security-policy"));
    assert.equal(ownPolicy!.length, 1);
    assert.equal(appPolicy!.length, 1);
    assert.match(appPolicy![0]!, /upgrade-insecure-requests/, "the policy of helmet");
    assert.doesNotMatch(ownPolicy![0]!, /upgrade-insecure-requests/);
    assert.deepEqual(own.values("strict-transport-security"), []);
    assert.equal(app.values("strict-transport-security").length, 1);
  });

  it("sends no header that helmet removed", async (t: TestContext) => {
    const { port } = await sides();
    for (const [path, status] of [
      ["/text", 200],
      ["/unknown", 404],
      ["/throw", 503],
    ] as const) {
      const response = await request(t, port, path);
      assert.deepEqual([response.status, response.values("x-powered-by")], [status, []]);
    }
  });

  it("keeps the sessions of both apart", async (t: TestContext) => {
    const { annex, port, url } = await sides();
    await annex.superusers.create("root@example.com", "correct horse battery");
    const signIn = await fetch(`${url}/_/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ identity: "root@example.com", password: "correct horse battery" }),
      headers: { origin: url },
      redirect: "manual",
    });
    assert.equal(signIn.status, 303, await signIn.text());
    const ownCookies = signIn.headers.getSetCookie();
    assert.notEqual(ownCookies.length, 0);
    assert.deepEqual(
      ownCookies.filter((cookie) => cookie.startsWith("connect.sid=")),
      [],
    );
    const own = ownCookies.map((cookie) => cookie.split(";")[0]).join("; ");
    const first = await request(t, port, "/visits", `Cookie: ${own}`);
    assert.deepEqual(
      first.values("set-cookie").map((cookie) => cookie.split("=")[0]),
      ["connect.sid"],
    );
    const both = `Cookie: ${own}; ${first.values("set-cookie")[0]!.split(";")[0]}`;
    const second = await request(t, port, "/visits", both);
    assert.deepEqual(JSON.parse(second.body.toString()), { visits: 2 });
    const data = await request(t, port, "/_/_/data/changes", both);
    assert.equal(data.status, 200);
    assert.deepEqual(data.values("set-cookie"), []);
  });

  it("observes proxied responses", async (t: TestContext) => {
    const { port, barePort, records } = await sides();
    for (const [path, status] of [
      ["/found", 200],
      ["/missing", 404],
    ] as const) {
      const [response, bare] = await Promise.all(
        [port, barePort].map(async (each) => {
          const wire = await Wire.connect(t, each);
          wire.request(get(`/proxy${path}`));
          return wire.response();
        }),
      );
      assert.deepEqual([response!.status, response!.body], [status, `upstream GET ${path}`]);
      assert.deepEqual([...response!.headers.keys()].toSorted(), [...bare!.headers.keys()].toSorted());
      assert.equal(response!.headers.get("connection"), bare!.headers.get("connection"));
      const trace = response!.headers.get("x-trace-id")!;
      assert.match(trace, /^[A-Za-z0-9]{18}$/, "only the ID of this request");
      const record = await records.trace(trace);
      assert.deepEqual(
        [record.path, record.status, record.bytes],
        [`/proxy${path}`, status, response!.body.length],
      );
    }
  });
});
