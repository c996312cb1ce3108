/** Errors that clients cause are not errors of the application. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { get, Wire } from "../../src/http/testing/wire.ts";
import { share } from "../../src/lib/testing/share.ts";
import { settles, until } from "../../src/lib/testing/until.ts";
import { attach } from "./hosts/attached.ts";
import { expressKinds } from "./hosts/express.ts";
import { fastifyKinds } from "./hosts/fastify.ts";
import { koaKinds } from "./hosts/koa.ts";

for (const kind of [expressKinds[0]!, expressKinds[1]!, fastifyKinds[0]!, koaKinds[0]!]) {
  describe(`a client of ${kind.name}`, () => {
    const shared = share((t) => attach(t, kind));

    /** The messages of all errors until now. A request that fails is the last one. */
    async function listErrors(): Promise<string[]> {
      const { url, records } = await shared();
      const response = await fetch(`${url}/throw`);
      await response.text();
      const trace = response.headers.get("x-trace-id");
      await until("the error is recorded", () => records.errors.some(({ traceId }) => traceId === trace));
      return records.errors.splice(0).map(({ error }) => (error as Error).message);
    }

    it("that disconnects while it sends a body is recorded, without an error", async (t) => {
      const { server, port, records } = await shared();
      const wire = await Wire.connect(t, port);
      const arrived = once(server, "request");
      const type = "Content-Type: application/json";
      wire.request(["POST /echo HTTP/1.1", "Host: localhost", type, "Content-Length: 100"], '{"a":');
      await settles("the request arrives", arrived);
      wire.socket.destroy();
      const { status } = await records.request("/echo");
      // Express responds before it knows that the connection is closed.
      assert.ok(status === 499 || status === 400, String(status));
      assert.deepEqual(await listErrors(), ["thrown"]);
    });

    it("that sends bytes that are not a request causes no error", async (t) => {
      const { port } = await shared();
      const wire = await Wire.connect(t, port);
      wire.request(get("/json"));
      assert.equal((await wire.response()).status, 200);
      wire.request(get("/stream"), "garbage\r\n\r\n");
      await wire.rest();
      assert.deepEqual(await listErrors(), ["thrown"]);
    });
  });
}
