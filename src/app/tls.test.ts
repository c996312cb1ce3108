import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, it } from "node:test";
import { otherKey, testCertificate, testKey } from "../http/testing/certificates.ts";
import { StartError } from "../lib/errors/start-error.ts";
import { settles } from "../lib/testing/until.ts";
import { resolveConfig } from "./config/config.ts";
import { createTestApp } from "./testing/test-app.ts";

const tls = { key: testKey, cert: testCertificate };

describe("an application with TLS", () => {
  it("serves HTTPS and says so in its URL", async (t) => {
    const app = createTestApp(t, { tls });
    app.onServe(({ router }) => router.get("/x", (e) => e.json(200, { isSecure: e.isSecure, url: e.url })));
    const { url, port, setupUrl } = await app.start();
    assert.equal(url, `https://127.0.0.1:${port}`);
    assert.ok(setupUrl?.startsWith(`https://127.0.0.1:${port}/_/?setup=`));
    const outgoing = request(`${url}/x`, { ca: testCertificate, agent: false }).end();
    const [response] = await settles("the response arrives", once(outgoing, "response"));
    assert.deepEqual(await json(response), { isSecure: true, url: `${url}/x` });
  });

  it("does not start with a key of another certificate, and opens nothing", async (t) => {
    const app = createTestApp(t, { tls: { ...tls, key: otherKey } });
    await assert.rejects(app.start(), (error: StartError) => {
      assert.ok(error instanceof StartError);
      assert.deepEqual([error.code, error.exitCode], ["INVALID_OPTION", 78]);
      assert.match(error.message, /^The private key in tls\.key does not match/);
      return true;
    });
    assert.equal(existsSync(join(app.dataDir, "annex.db")), false);
  });

  it("never shows the key", async (t) => {
    const secret = testKey.split("\n")[1]!;
    const { options } = resolveConfig({ tls }, {});
    assert.doesNotMatch(JSON.stringify(options.entries), new RegExp(secret.slice(0, 20)));
    const app = createTestApp(t, { tls, logLevel: "debug" });
    await app.start();
    await app.stop();
    assert.ok(!readFileSync(join(app.dataDir, "app.log"), "utf8").includes(secret));
  });

  it("reads the environment", () => {
    const { tls } = resolveConfig({}, { SVC_TLS_KEY: "key.pem", SVC_TLS_CERT: "cert.pem" });
    assert.deepEqual({ ...tls }, { key: "key.pem", cert: "cert.pem" });
  });
});
