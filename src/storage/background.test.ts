import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createTestDatabase } from "../../tests/support/postgres.ts";
import type { ApiError } from "../lib/errors/errors.ts";
import { settles, until } from "../lib/testing/until.ts";
import { recordThreads } from "../lib/worker/testing/started-threads.ts";
import { createBackground, type DatabaseOptions } from "./index.ts";
import { echoService } from "./testing/background-service.ts";
import { damagePages } from "./testing/damage.ts";
import { createTemporaryFolder } from "./testing/temporary-folder.ts";

const places: Record<string, (t: TestContext) => Promise<DatabaseOptions>> = {
  sqlite: async () => ({ dataDir: createTemporaryFolder(), file: "echoes.db" }),
  postgres: async (t) => {
    const { url, drop } = await createTestDatabase();
    t.after(drop);
    return { url, dataDir: "/dev/null/not-used" };
  },
};

function open(t: TestContext, database: DatabaseOptions, data = "given") {
  const background = createBackground({ database, services: { echo: echoService(data) } });
  t.after(() => background.close());
  return { background, ...background.service("echo") };
}

/** Checks the error of a rejected request and its cause. */
const refusal = (reason: RegExp) => (error: ApiError) => {
  assert.deepEqual([error.status, error.code], [503, "HISTORY_UNAVAILABLE"]);
  assert.match((error.cause as Error).message, reason);
  return true;
};

for (const [engine, place] of Object.entries(places)) {
  describe(`the background thread on ${engine}`, () => {
    it("responds in order, and stores pending data when it is closed", async (t) => {
      const database = await place(t);
      const { background, call, post } = open(t, database);
      post("store", ["one"]);
      await call("store", "two");
      assert.deepEqual(await call("read"), { data: "given", texts: ["one", "two"] });
      await background.close();
      const { texts } = await open(t, database).call("read");
      assert.deepEqual(texts, ["one", "two", "closed"]);
    });
  });
}

describe("the background thread", () => {
  it("passes on errors of a service and continues", async (t) => {
    const { background, call, post } = open(t, await places.sqlite!(t));
    await assert.rejects(call("fail", "way"), refusal(/no way/));
    post("fail", ["response"]);
    assert.deepEqual((await call("read")).texts, []);
    assert.deepEqual([background.problem, background.lost], ["no response", 1]);
    await call("report", undefined);
    assert.equal(background.problem, undefined);
    await call("report", "full");
    assert.equal(background.problem, "full");
  });

  it("rejects pending requests when it dies, and does not restart immediately", async (t) => {
    const { background, call, post } = open(t, await places.sqlite!(t));
    await assert.rejects(call("exit"), refusal(/has ended: exit code 3/));
    post("store", ["lost"]);
    await assert.rejects(call("read"), refusal(/not running/));
    assert.match(background.problem!, /has ended: exit code 3/);
  });

  it("restarts after it was killed while writes were pending, and counts them", async (t) => {
    const started = recordThreads(t);
    const { background, call, post } = open(t, await places.sqlite!(t));
    await call("store", "before");
    for (let index = 0; index < 10; index++) post("wait", []);
    await started[0]!.worker.terminate();
    await until("it has ended", () => background.problem);
    assert.equal(background.lost, 10);
    await until("it has restarted", () => background.problem === undefined);
    await call("store", "after");
    assert.deepEqual((await call("read")).texts, ["before", "after"]);
    assert.deepEqual([started.length, background.lost], [2, 10]);
  });

  it("is terminated and restarted when it hangs", async (t) => {
    const database = await places.sqlite!(t);
    const deadlines = { callMs: 10_000, hangMs: 2_000, closeMs: 1_000 };
    const background = createBackground({ database, deadlines, services: { echo: echoService("given") } });
    t.after(() => background.close());
    const { call, post } = background.service("echo");
    await call("store", "before");
    post("block", []);
    await assert.rejects(call("read"), refusal(/has ended: no response within 2000 ms/));
    assert.equal(background.lost, 1);
    await until("it has restarted", () => background.problem === undefined);
    assert.deepEqual((await call("read")).texts, ["before"]);
  });

  it("reports why it cannot open its database", async (t) => {
    const { background, call } = open(t, { dataDir: "/dev/null/no-folder", file: "echoes.db" });
    await assert.rejects(call("read"), refusal(/has ended: .*no-folder/));
    assert.match(background.problem!, /no-folder/);
  });

  it("distinguishes the problems of its services", async (t) => {
    const reported: (string | undefined)[] = [];
    const services = { one: echoService(""), two: echoService("") };
    const onProblem = (reason: string | undefined) => reported.push(reason);
    const background = createBackground({ database: await places.sqlite!(t), services, onProblem });
    t.after(() => background.close());
    await background.service("one").call("report", "full");
    await background.service("two").call("report", undefined);
    assert.equal(background.problem, "full");
    await background.service("one").call("report", undefined);
    assert.deepEqual(reported, ["full", undefined]);
  });

  it("limits the time for a response and for closing", async (t) => {
    const background = createBackground({
      database: await places.sqlite!(t),
      services: { echo: echoService("never ends") },
      deadlines: { callMs: 50, hangMs: 10_000, closeMs: 50 },
    });
    const { call } = background.service("echo");
    await assert.rejects(call("wait"), refusal(/No response from the thread annex-background within 50 ms/));
    await background.close();
  });

  it("ends when its file is damaged while it is open, and the next one moves the file aside", async (t) => {
    const database = await places.sqlite!(t);
    const path = join(database.dataDir, database.file!);
    const before = open(t, database);
    for (let i = 0; i < 100; i++) before.post("store", ["x".repeat(100_000)]);
    await before.call("read");
    await before.background.close();
    const died = Promise.withResolvers<void>();
    const services = { echo: echoService("") };
    const damaged = createBackground({
      database,
      services,
      onProblem: (reason) => /The file echoes.db is damaged/.test(reason ?? "") && died.resolve(),
    });
    t.after(() => damaged.close());
    const { call } = damaged.service("echo");
    await call("report", undefined);
    damagePages(path, 16_384);
    await assert.rejects(call("read"), { code: "HISTORY_UNAVAILABLE" });
    await settles("it has ended", died.promise);
    await damaged.close();
    const moved: string[] = [];
    const next = createBackground({ database, services, onSetAside: (to) => moved.push(to) });
    t.after(() => next.close());
    assert.deepEqual((await next.service("echo").call("read")).texts, []);
    assert.equal(moved.length, 1);
    assert.ok(existsSync(moved[0]!));
    assert.match(moved[0]!, /echoes\.db\.damaged-/);
  });

  it("counts dropped messages", async (t) => {
    const { background, call, post } = open(t, { dataDir: "/dev/null/no-folder", file: "echoes.db" });
    await assert.rejects(call("read"));
    post("store", [""]);
    assert.equal(background.lost, 1);
  });

  it("is not started without messages, and accepts none after its end", async (t) => {
    const { background, call, post } = open(t, { dataDir: "/dev/null/no-folder", file: "echoes.db" });
    await background.close();
    post("store", [""]);
    await assert.rejects(call("read"), refusal(/not running/));
    assert.equal(background.problem, undefined);
  });
});
