import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, before, describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { settles } from "../src/lib/testing/until.ts";
import { startDatabaseProxy } from "./support/database-proxy.ts";
import { createTestDatabase, type TestDatabase } from "./support/postgres.ts";
import { createFolder, type Program, startSource } from "./support/program.ts";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

function start(t: TestContext, url: string, env: Record<string, string> = {}): Program {
  const source = "await annex.createApp({ port: 0 }).start(); process.stdout.write('started\\n');";
  return startSource(t, source, { env: { SVC_DATABASE_URL: url, SVC_DATA_DIR: createFolder(t), ...env } });
}

/** The address of a port on which nothing listens. */
async function createClosedUrl(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return Object.assign(new URL(database.url), { port: `${port}` }).href;
}

const waiting =
  /Waiting for the database\. The PostgreSQL database at 127\.0\.0\.1:\d+\/\w+ cannot be reached/;

describe("a start while PostgreSQL is away", () => {
  it("waits, says what for, and continues when PostgreSQL responds", async (t) => {
    const proxy = await startDatabaseProxy(t, database.url, { isUp: false });
    const program = start(t, proxy.url, { SVC_DATABASE_WAIT_MS: "180000" });
    await program.says(waiting);
    proxy.isUp = true;
    await program.says(/^started$/m);
  });

  it("fails after the time with one sentence and exit code 69", async (t) => {
    const program = start(t, await createClosedUrl(), { SVC_DATABASE_WAIT_MS: "5000" });
    assert.deepEqual(await program.ended, [69, null]);
    assert.match(program.stdout + program.stderr, waiting);
    assert.match(
      program.stderr.trimEnd().split("\n").at(-1)!,
      /The PostgreSQL database at .* cannot be reached: connection refused; start PostgreSQL/,
    );
  });

  it("does not wait with 0", async (t) => {
    const program = start(t, await createClosedUrl(), { SVC_DATABASE_WAIT_MS: "0" });
    assert.deepEqual(await program.ended, [69, null]);
    assert.doesNotMatch(program.stdout + program.stderr, /Waiting/);
  });

  const cases: [what: string, change: Partial<URL>, reason: RegExp][] = [
    ["a wrong password", { password: "wrong" }, /authentication failed/],
    ["a missing database", { pathname: "/absent" }, /the database does not exist/],
  ];
  for (const [what, change, reason] of cases) {
    it(`does not wait for ${what}`, async (t) => {
      const url = Object.assign(new URL(database.url), change).href;
      const program = start(t, url, { SVC_DATABASE_WAIT_MS: "3600000" });
      assert.deepEqual(await program.ended, [69, null]);
      assert.match(program.stderr, reason);
      assert.doesNotMatch(program.stdout + program.stderr, /Waiting/);
    });
  }

  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    it(`ends at once with ${signal}`, async (t) => {
      const program = start(t, await createClosedUrl(), { SVC_DATABASE_WAIT_MS: "3600000" });
      await program.says(waiting);
      program.child.kill(signal);
      assert.deepEqual(await program.ended, [code, null]);
    });
  }

  it("ends when the application is stopped", async (t) => {
    const app = createTestApp(t, { database: await createClosedUrl(), databaseWaitMs: 3_600_000 });
    const starting = assert.rejects(app.start(), { code: "DATABASE_UNREACHABLE" });
    await app.stop();
    await settles("the start fails", starting);
  });
});
