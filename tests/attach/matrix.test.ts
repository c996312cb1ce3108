import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Wire } from "../../src/http/testing/wire.ts";
import { share } from "../../src/lib/testing/share.ts";
import { until } from "../../src/lib/testing/until.ts";
import { attach } from "./hosts/attached.ts";
import { expressKinds } from "./hosts/express.ts";
import { fastifyKinds } from "./hosts/fastify.ts";
import { honoKinds } from "./hosts/hono.ts";
import { koaKinds } from "./hosts/koa.ts";
import { nestKinds } from "./hosts/nest.ts";
import { nodeKinds } from "./hosts/node.ts";

const kinds = [...expressKinds, ...fastifyKinds, ...koaKinds, ...nestKinds, ...honoKinds, ...nodeKinds];
const traceId = /^[A-Za-z0-9]{18}$/;

for (const kind of kinds) {
  describe(`Annex on ${kind.name}`, () => {
    const shared = share((t) => attach(t, kind));

    /** The route that is expected in the records. */
    const routeOf = (pattern: string) => (kind.knowsRoutes ? pattern : "(unknown route)");

    async function request(path: string, init: RequestInit = {}) {
      const { url, records } = await shared();
      const response = await fetch(url + path, init);
      const body = await response.text();
      const trace = response.headers.get("x-trace-id");
      assert.match(trace ?? "", traceId, "every response has a trace ID");
      return { response, body, record: await records.trace(trace) };
    }

    it("observes JSON", async () => {
      const { response, body, record } = await request("/json?a=1");
      assert.equal(response.status, 200);
      assert.deepEqual(JSON.parse(body), { hello: "world" });
      const { method, path, route, status, bytes } = record;
      assert.deepEqual(
        { method, path, route, status, bytes },
        { method: "GET", path: "/json", route: routeOf("/json"), status: 200, bytes: body.length },
      );
      assert.match(record.contentType ?? "", /^application\/json/);
    });

    it("leaves the body of a POST to the application", async () => {
      const { response, body, record } = await request("/echo", {
        method: "POST",
        body: JSON.stringify({ a: [1, "ü"] }),
        headers: { "content-type": "application/json" },
      });
      assert.equal(response.status, 201);
      assert.deepEqual(JSON.parse(body), { a: [1, "ü"] });
      assert.deepEqual([record.method, record.route, record.status], ["POST", routeOf("/echo"), 201]);
    });

    for (const [path, message] of [
      ["/throw", "thrown"],
      ["/reject", "rejected"],
    ] as const) {
      it(`records the error of ${path}`, async () => {
        const { response, record } = await request(path);
        assert.equal(response.status, 500);
        assert.deepEqual([record.route, record.status], [routeOf(path), 500]);
        const { records } = await shared();
        const errors = records.errors.filter((each) => each.traceId === record.traceId);
        const known = errors.map(({ error, route }) => [(error as Error).message, route]);
        assert.deepEqual(known, kind.knowsErrors ? [[message, path]] : []);
      });
    }

    it("leaves unknown paths to the application", async () => {
      const { response, record } = await request("/nothing/here");
      assert.equal(response.status, 404);
      assert.deepEqual([record.route, record.status], [undefined, 404]);
    });

    it("counts the bytes of a stream", async () => {
      const { body, record } = await request("/stream");
      assert.equal(body, "one,two,three");
      assert.deepEqual([record.route, record.bytes], [routeOf("/stream"), 13]);
    });

    it("observes a raw writeHead", async () => {
      const { response, body, record } = await request("/raw");
      assert.deepEqual([response.status, body, response.headers.get("x-own")], [202, "raw", "1"]);
      assert.deepEqual([record.status, record.bytes, record.contentType], [202, 3, "text/plain"]);
    });

    it("knows the pattern of a nested route", async () => {
      const { body, record } = await request("/orgs/7/users/9");
      assert.deepEqual(JSON.parse(body), { org: "7", user: "9" });
      assert.equal(record.route, routeOf("/orgs/{org}/users/{user}"));
    });

    it("observes HEAD", async () => {
      const { response, body, record } = await request("/json", { method: "HEAD" });
      assert.deepEqual([response.status, body], [200, ""]);
      assert.deepEqual([record.method, record.bytes], ["HEAD", 0]);
    });

    it("serves the paths of Annex", async () => {
      const { url } = await shared();
      const health = await fetch(`${url}/api/health`);
      assert.equal(((await health.json()) as { status: string }).status, "healthy");
      const page = await fetch(`${url}/_/_`, { headers: { accept: "text/html" } });
      assert.equal(page.status, 200);
      assert.match(await page.text(), /<html/);
      const refused = await fetch(`${url}/api/cron/nothing`);
      assert.equal(refused.status, 401);
      assert.match(((await refused.json()) as { trace_id: string }).trace_id, traceId);
    });

    it("records a client that disconnects as 499", async (t: TestContext) => {
      const { slow, records, port } = await shared();
      const wire = await Wire.connect(t, port);
      wire.request(["GET /slow HTTP/1.1", "Host: localhost"]);
      await until("the request arrives", () => slow.arrived === 1);
      wire.socket.destroy();
      const record = await records.request("/slow");
      assert.equal(record.status, 499);
      slow.release();
    });

    it("observes pipelined requests, in order", async (t: TestContext) => {
      const { records, port } = await shared();
      const wire = await Wire.connect(t, port);
      const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      wire.send(head("/json?first") + head("/api/health") + head("/orgs/1/users/2"));
      const responses = [await wire.response(), await wire.response(), await wire.response()];
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 200],
      );
      const traces = responses.map(({ headers }) => headers.get("x-trace-id")!);
      assert.equal(new Set(traces).size, 3);
      assert.equal((await records.trace(traces[0]!)).path, "/json");
      assert.equal((await records.trace(traces[2]!)).path, "/orgs/1/users/2");
    });
  });
}
