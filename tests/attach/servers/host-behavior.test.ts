/** What belongs to the application stays as it is without Annex. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { describe, it, type TestContext } from "node:test";
import express from "express";
import { get, Wire, type WireResponse } from "../../../src/http/testing/wire.ts";
import { type Cleanup, share } from "../../../src/lib/testing/share.ts";
import { settles, until } from "../../../src/lib/testing/until.ts";
import { attach, createSmallAnnex } from "../hosts/attached.ts";
import { expressKinds } from "../hosts/express.ts";
import { fastifyKinds } from "../hosts/fastify.ts";
import { honoKinds } from "../hosts/hono.ts";
import { closed, listening, portOf } from "../hosts/host.ts";
import { koaKinds } from "../hosts/koa.ts";
import { nestKinds } from "../hosts/nest.ts";
import { nodeKinds } from "../hosts/node.ts";

/** Settings that differ from those of Node and of Annex. */
const settings = {
  keepAliveTimeout: 7_000,
  headersTimeout: 9_000,
  requestTimeout: 11_000,
  timeout: 13_000,
  maxHeadersCount: 17,
  maxRequestsPerSocket: 19,
};

function createHost(): Server {
  const app = express();
  app.set("env", "production");
  app.use(express.json({ limit: 100 }));
  app.post("/echo", (request, response) => void response.json(request.body));
  app.get("/json", (request, response) => void response.json({ host: request.headers.host ?? null }));
  app.get("/throw", () => {
    // Express prints errors without a status.
    throw Object.assign(new Error("thrown"), { status: 503 });
  });
  const server = createServer({ requireHostHeader: false, maxHeaderSize: 2_000 }, app);
  return Object.assign(server, settings);
}

/** The application with Annex, and the same without it. */
async function start(t: Cleanup) {
  const server = createHost();
  const bare = createHost();
  const { annex, records } = createSmallAnnex(t);
  t.after(() => closed(server));
  t.after(() => closed(bare));
  await annex.attach(server);
  const [port, barePort] = await Promise.all(
    [server, bare].map(async (each) => portOf(await listening(each.listen(0)))),
  );
  return { server, records, port: port!, barePort: barePort! };
}

const body = (text: string) => [`Content-Length: ${text.length}`, "Content-Type: application/json", "", text];

describe("an application with Annex", () => {
  const sides = share(start);

  it("keeps the settings of its server", async () => {
    const { server } = await sides();
    for (const [name, value] of Object.entries(settings))
      assert.equal(server[name as keyof typeof settings], value, name);
  });

  const requests: Record<string, string[]> = {
    "a response": get("/json"),
    "an unknown path": get("/unknown"),
    "an error": get("/throw"),
    "a request without a host": ["GET /json HTTP/1.1"],
    "a request with two hosts": get("/json", "Host: other"),
    "a request of HTTP/1.0": ["GET /json HTTP/1.0"],
    "a request of HTTP/1.0 that keeps the connection": ["GET /json HTTP/1.0", "Connection: keep-alive"],
    "a request that closes the connection": get("/json", "Connection: close"),
    "an invalid path": get("/%ff"),
    "an absolute URL": get("http://other/json"),
    "an unknown method": ["BREW /json HTTP/1.1", "Host: localhost"],
    "headers that are too large": get("/json", `X-Large: ${"x".repeat(3_000)}`),
    "an invalid body": ["POST /echo HTTP/1.1", "Host: localhost", ...body("{")],
    "a body that is too large": ["POST /echo HTTP/1.1", "Host: localhost", ...body(`"${"x".repeat(200)}"`)],
    "an expectation": ["GET /json HTTP/1.1", "Host: localhost", "Expect: coffee"],
  };

  for (const [name, lines] of Object.entries(requests)) {
    it(`responds to ${name} as without Annex`, async (t: TestContext) => {
      const { port, barePort } = await sides();
      const [attached, bare] = await Promise.all(
        [port, barePort].map(async (each) => {
          const wire = await Wire.connect(t, each);
          const hasBody = lines.includes("");
          wire.send(lines.join("\r\n") + (hasBody ? "" : "\r\n\r\n"));
          return comparable(await wire.response());
        }),
      );
      assert.deepEqual(attached, bare);
    });
  }
});

/** Everything but the values that differ in each response. */
function comparable({ status, headers, body }: WireResponse) {
  const own = [...headers].filter(([name]) => name !== "x-trace-id" && name !== "date");
  return { status, headers: Object.fromEntries(own.toSorted()), body };
}

const kinds = [expressKinds[0]!, fastifyKinds[0]!, koaKinds[0]!, nestKinds[0]!, honoKinds[0]!, nodeKinds[0]!];

for (const kind of kinds) {
  it(`${kind.name} closes connections only while it stops, and streams of Annex do not delay it`, async (t) => {
    const { annex, server, slow, port, url, records } = await attach(t, kind);
    // A busy machine may need long between two requests.
    server.keepAliveTimeout = 0;
    await annex.superusers.create("root@example.com", "correct horse battery");
    const signIn = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
      method: "POST",
      body: JSON.stringify({ identity: "root@example.com", password: "correct horse battery" }),
      headers: { "content-type": "application/json" },
    });
    const { token } = (await signIn.json()) as { token: string };
    const live = await fetch(`${url}/_/_/live`, { headers: { authorization: token } });
    assert.equal(live.headers.get("content-type"), "text/event-stream");
    const reader = live.body!.getReader();
    await settles("the stream begins", reader.read());

    const wire = await Wire.connect(t, port);
    wire.request(get("/json"));
    assert.equal((await wire.response()).headers.get("connection"), "keep-alive");
    wire.request(get("/slow"));
    await until("the request arrives", () => slow.arrived === 1);
    const done = once(server, "close");
    server.close();
    slow.release();
    const last = await wire.response();
    assert.deepEqual([last.body, last.headers.get("connection")], ["done", "close"]);
    await settles("the server closes", done);
    // The stream has ended. Whether as an error depends on how far the client was.
    await settles("the stream ends", drain(reader));
    await records.trace(last.headers.get("x-trace-id")!);
  });
}

async function drain(reader: ReadableStreamDefaultReader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {}
}
