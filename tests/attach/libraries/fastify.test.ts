/** Annex beside what Fastify applications usually have. */
import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import compress from "@fastify/compress";
import files from "@fastify/static";
import websocket from "@fastify/websocket";
import { fastify as fastify5 } from "fastify";
import { fastify as fastify4 } from "fastify-4";
import supertest from "supertest";
import { WebSocket } from "ws";
import { get, Wire } from "../../../src/http/testing/wire.ts";
import { type Cleanup, share } from "../../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../../src/lib/testing/temporary-folder.ts";
import { settles } from "../../../src/lib/testing/until.ts";
import { createAnnex, createSmallAnnex, type Records } from "../hosts/attached.ts";
import { portOf } from "../hosts/host.ts";

type Fastify = typeof fastify5;

/** An error that the error handler below responds to with its status. */
class ExpectedError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`expected ${status}`);
    this.status = status;
  }
}

const text = "A sentence that compresses well. ".repeat(200);

/** Everything is registered and loaded before Annex is attached. */
async function start(t: Cleanup, fastify: Fastify) {
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) => {
    reply.code(error instanceof ExpectedError ? error.status : 500).send({ own: (error as Error).message });
  });
  await app.register(
    async (plugin) => {
      plugin.get("/users/:id", async (request) => request.params);
      plugin.get("/fails/:status", async (request) => {
        throw new ExpectedError(Number((request.params as { status: string }).status));
      });
      plugin.get("/hijacked", (_request, reply) => {
        reply.hijack();
        reply.raw.end("hijacked");
      });
    },
    { prefix: "/early" },
  );
  // These are for version 5 only.
  if (fastify === fastify5) {
    const folder = createTemporaryFolder();
    writeFileSync(join(folder, "file.txt"), text);
    await app.register(compress, { threshold: 0, encodings: ["gzip"] });
    await app.register(files, { root: folder, prefix: "/files/" });
    app.get("/text", async (_request, reply) => reply.type("text/plain").send(text));
    await app.register(websocket);
    app.get("/echo", { websocket: true }, (socket) => {
      socket.on("message", (data: Buffer) => socket.send(`fastify: ${data}`));
    });
  }
  const { annex, records } = createAnnex(t);
  annex.onServe((e) => {
    e.router.upgrade("/annex-echo", (_e, socket) => {
      socket.on("message", (data) => void socket.send(`annex: ${data}`));
    });
    return e.next();
  });
  t.after(() => app.close());
  return { app, annex, records };
}

async function echo(t: TestContext, url: string): Promise<string> {
  const socket = new WebSocket(url);
  t.after(() => socket.terminate());
  await settles("the WebSocket opens", once(socket, "open"));
  socket.send("hello");
  const [data] = await settles("the WebSocket responds", once(socket, "message"));
  return String(data);
}

async function request(url: string, records: Records) {
  const response = await fetch(url);
  const body = await response.text();
  const record = await records.trace(response.headers.get("x-trace-id"));
  const errors = records.errors.filter(({ traceId }) => traceId === record.traceId);
  return { body, record, errors: errors.map(({ error, route }) => [(error as Error).message, route]) };
}

for (const [name, fastify] of [
  ["5", fastify5],
  ["4", fastify4 as unknown as Fastify],
] as const) {
  describe(`Annex on Fastify ${name}`, () => {
    const sides = share(async (t) => {
      const { app, annex, records } = await start(t, fastify);
      await annex.attach(app);
      await app.listen({ port: 0, host: "127.0.0.1" });
      return { records, url: `http://127.0.0.1:${portOf(app.server)}` };
    });

    it("knows the routes of plugins that were loaded before", async () => {
      const { records, url } = await sides();
      const { body, record } = await request(`${url}/early/users/7`, records);
      assert.deepEqual([body, record.route], ['{"id":"7"}', "/early/users/{id}"]);
      assert.equal((await fetch(`${url}/api/health`)).status, 200);
    });

    it("records an error once if the error handler responds with 500, and not if it responds with 400", async () => {
      const { records, url } = await sides();
      const failed = await request(`${url}/early/fails/500`, records);
      assert.equal(failed.body, '{"own":"expected 500"}');
      assert.deepEqual(failed.errors, [["expected 500", "/early/fails/{status}"]]);
      const refused = await request(`${url}/early/fails/400`, records);
      assert.equal(refused.body, '{"own":"expected 400"}');
      assert.deepEqual([refused.record.status, refused.errors], [400, []]);
    });

    it("observes a hijacked reply", async () => {
      const { records, url } = await sides();
      const { body, record } = await request(`${url}/early/hijacked`, records);
      assert.deepEqual([body, record.route, record.bytes], ["hijacked", "/early/hijacked", 8]);
    });

    for (const path of fastify === fastify5 ? ["/text", "/files/file.txt"] : []) {
      it(`counts the bytes of ${path} as they are sent`, async (t: TestContext) => {
        const { records, url } = await sides();
        for (const encoding of ["gzip", "identity"]) {
          const wire = await Wire.connect(t, Number(new URL(url).port));
          wire.request(get(path, "Connection: close", `Accept-Encoding: ${encoding}`));
          const { status, headers, body } = await wire.response();
          assert.equal(status, 200);
          assert.equal(headers.get("content-encoding") ?? "identity", encoding);
          const { bytes, route } = await records.trace(headers.get("x-trace-id")!);
          assert.equal(route, path === "/text" ? path : "/files/{rest...}");
          if (encoding === "identity") assert.deepEqual([body, bytes], [text, text.length]);
          else assert.ok(bytes > 0 && bytes < text.length / 10, `${bytes} bytes`);
        }
      });
    }

    it("serves the WebSockets of both", async (t: TestContext) => {
      const { url } = await sides();
      const address = url.replace("http", "ws");
      assert.equal(await echo(t, `${address}/annex-echo`), "annex: hello");
      if (fastify === fastify5) assert.equal(await echo(t, `${address}/echo`), "fastify: hello");
    });
  });

  it(`Annex on Fastify ${name} knows the routes if attached after ready(), also of rewritten paths`, async (t) => {
    const app = fastify({
      forceCloseConnections: true,
      rewriteUrl: ({ url = "" }) => url.replace("/old/", "/users/"),
    });
    app.get("/users/:id", async (request) => request.params);
    app.get("/files/*", async () => ({}));
    app.get("/more/files/*", async () => ({}));
    t.after(() => app.close());
    await app.ready();
    const { annex, records } = createSmallAnnex(t);
    await annex.attach(app);
    await app.listen({ port: 0, host: "127.0.0.1" });
    const url = `http://127.0.0.1:${portOf(app.server)}`;
    const { body, record } = await request(`${url}/old/7?a=b`, records);
    assert.deepEqual([body, record.path, record.route], ['{"id":"7"}', "/old/7", "/users/{id}"]);
    for (const prefix of ["/files", "/more/files"]) {
      const file = await request(`${url}${prefix}/a.txt`, records);
      assert.equal(file.record.route, `${prefix}/{rest...}`);
    }
  });

  for (const ignoreTrailingSlash of [false, true])
    it(`Annex on Fastify ${name} knows both paths of a late route / with a prefix, ${ignoreTrailingSlash ? "ignoring" : "comparing"} the slash`, async (t) => {
      const app = fastify({ forceCloseConnections: true, ignoreTrailingSlash });
      t.after(() => app.close());
      const { annex, records } = createSmallAnnex(t);
      await annex.attach(app);
      for (const [prefix, path, prefixTrailingSlash] of [
        ["/both", "/", "both"],
        ["/without", "/", "no-slash"],
        ["/empty", "", "both"],
      ] as const)
        app.register(async (plugin) => void plugin.get(path, { prefixTrailingSlash }, async () => prefix), {
          prefix,
        });
      await app.listen({ port: 0, host: "127.0.0.1" });
      const url = `http://127.0.0.1:${portOf(app.server)}`;
      const find = async (path: string) => {
        const { record } = await request(url + path, records);
        return [record.status, record.route];
      };
      assert.deepEqual(await find("/both"), [200, "/both"]);
      assert.deepEqual(await find("/both/"), [200, ignoreTrailingSlash ? "/both" : "/both/"]);
      for (const path of ["/without", "/empty"]) {
        assert.deepEqual(await find(path), [200, path]);
        assert.deepEqual(await find(`${path}/`), ignoreTrailingSlash ? [200, path] : [404, undefined]);
      }
    });

  it(`Annex on Fastify ${name} works with supertest, which opens and closes the server`, async (t) => {
    const { app, annex, records } = await start(t, fastify);
    await annex.attach(app);
    await app.ready();
    for (const id of ["1", "2"]) {
      const response = await supertest(app.server).get(`/early/users/${id}`).expect(200);
      assert.equal((await records.trace(response.headers["x-trace-id"]!)).route, "/early/users/{id}");
      await supertest(app.server).get("/api/health").expect(200);
    }
  });

  for (const when of ["before", "after"])
    it(`Annex on Fastify ${name} observes both addresses of localhost, attached ${when} listen()`, async (t) => {
      const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      if (!addresses.some(({ address }) => address === "::1")) return t.skip("This machine has no ::1.");
      resolveLocalhost(t);
      const { app, annex, records } = await start(t, fastify);
      await app.ready();
      if (when === "before") await annex.attach(app);
      await app.listen({ port: 0, host: "localhost" });
      if (when === "after") await annex.attach(app);
      const urls = (app.addresses() as AddressInfo[]).map(
        ({ address, family, port }) => `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
      );
      assert.equal(urls.length, 2);
      for (const url of urls) {
        const { record } = await request(`${url}/early/users/7`, records);
        assert.equal(record.status, 200, url);
        assert.equal((await fetch(`${url}/api/health`)).status, 200, url);
      }
    });
}

/** Makes localhost have both addresses. On some machines, it has only one. */
function resolveLocalhost(t: TestContext): void {
  const lookup = dns.lookup as (...args: unknown[]) => void;
  t.mock.method(dns, "lookup", (...args: unknown[]) => {
    const [host, options, done] = args as [string, { all?: boolean }, (...results: unknown[]) => void];
    if (host !== "localhost" || !options.all) return lookup(...args);
    done(null, [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
  });
}
