import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createTestDatabase } from "../../tests/support/postgres.ts";
import type { ApiError } from "../lib/errors.ts";
import { type Background, createBackground, type DatabaseOptions } from "./index.ts";
import type { Echo } from "./testing/background-service.ts";
import { damagePages } from "./testing/damage.ts";
import { createTemporaryFolder } from "./testing/temporary-folder.ts";

const module = new URL("./testing/background-service.ts", import.meta.url);

const places: Record<string, (t: TestContext) => Promise<DatabaseOptions>> = {
  sqlite: async () => ({ dataDir: createTemporaryFolder(), file: "echoes.db" }),
  postgres: async (t) => {
    const { url, drop } = await createTestDatabase();
    t.after(drop);
    return { url, dataDir: "/dev/null/not-used" };
  },
};

interface Heard {
  data: string;
  texts: string[];
}

function open(t: TestContext, database: DatabaseOptions): Background {
  const background = createBackground({ database, services: { echo: { module, data: "given" } } });
  t.after(() => background.close());
  return background;
}

/** Checks the error of a rejected request and its cause. */
const refusal = (reason: RegExp) => (error: ApiError) => {
  assert.deepEqual([error.status, error.code], [503, "HISTORY_UNAVAILABLE"]);
  assert.match((error.cause as Error).message, reason);
  return true;
};

const post = (background: Background, message: Echo) => background.post("echo", message);
const ask = (background: Background, message: Echo) => background.ask<Heard>("echo", message);

for (const [engine, place] of Object.entries(places)) {
  describe(`the background thread on ${engine}`, () => {
    it("responds in order, and stores pending data when it is closed", async (t) => {
      const database = await place(t);
      const background = open(t, database);
      post(background, { kind: "keep", text: "one" });
      await ask(background, { kind: "keep", text: "two" });
      assert.deepEqual(await ask(background, { kind: "read" }), { data: "given", texts: ["one", "two"] });
      await background.close();
      const { texts } = await ask(open(t, database), { kind: "read" });
      assert.deepEqual(texts, ["one", "two", "closed"]);
    });
  });
}

describe("the background thread", () => {
  it("passes on errors of a service and continues", async (t) => {
    const background = open(t, await places.sqlite!(t));
    await assert.rejects(ask(background, { kind: "fail", text: "way" }), refusal(/no way/));
    post(background, { kind: "fail", text: "answer" });
    assert.deepEqual((await ask(background, { kind: "read" })).texts, []);
    assert.equal(background.problem, "no answer");
    await ask(background, { kind: "report" });
    assert.equal(background.problem, undefined);
    await ask(background, { kind: "report", text: "full" });
    assert.equal(background.problem, "full");
  });

  it("rejects pending requests when it dies, and does not restart immediately", async (t) => {
    const background = open(t, await places.sqlite!(t));
    const waiting = ask(background, { kind: "die" });
    await assert.rejects(waiting, refusal(/has ended/));
    post(background, { kind: "keep", text: "lost" });
    await assert.rejects(ask(background, { kind: "read" }), refusal(/not running/));
    assert.ok(background.problem);
  });

  it("reports why it cannot open its database", async (t) => {
    const background = open(t, { dataDir: "/dev/null/no-folder", file: "echoes.db" });
    await assert.rejects(ask(background, { kind: "read" }), refusal(/has ended: .*no-folder/));
    assert.match(background.problem!, /no-folder/);
  });

  it("distinguishes the problems of its services", async (t) => {
    const told: (string | undefined)[] = [];
    const services = { one: { module }, two: { module } };
    const onProblem = (reason: string | undefined) => told.push(reason);
    const background = createBackground({ database: await places.sqlite!(t), services, onProblem });
    t.after(() => background.close());
    await background.ask("one", { kind: "report", text: "full" });
    await background.ask("two", { kind: "report" });
    assert.equal(background.problem, "full");
    await background.ask("one", { kind: "report" });
    assert.deepEqual(told, ["full", undefined]);
  });

  it("limits the time for a response and for closing", async (t) => {
    const background = createBackground({
      database: await places.sqlite!(t),
      services: { echo: { module, data: "never ends" } },
      deadlines: { answerMs: 50, closeMs: 50 },
    });
    await assert.rejects(
      ask(background, { kind: "hang" }),
      refusal(/No response from the background thread within 50 ms/),
    );
    await background.close();
  });

  it("ends when its file is damaged while it is open, and the next one moves the file aside", async (t) => {
    const database = await places.sqlite!(t);
    const path = join(database.dataDir, database.file!);
    const before = open(t, database);
    for (let i = 0; i < 100; i++) post(before, { kind: "keep", text: "x".repeat(100_000) });
    await ask(before, { kind: "read" });
    await before.close();
    const died = Promise.withResolvers<void>();
    const services = { echo: { module } };
    const damaged = createBackground({
      database,
      services,
      onProblem: (reason) => /The file echoes.db is damaged/.test(reason ?? "") && died.resolve(),
    });
    t.after(() => damaged.close());
    await ask(damaged, { kind: "report" });
    damagePages(path, 16_384);
    await assert.rejects(ask(damaged, { kind: "read" }), { code: "HISTORY_UNAVAILABLE" });
    await died.promise;
    const moved: string[] = [];
    const next = createBackground({ database, services, onSetAside: (to) => moved.push(to) });
    t.after(() => next.close());
    assert.deepEqual((await ask(next, { kind: "read" })).texts, []);
    assert.equal(moved.length, 1);
    assert.ok(existsSync(moved[0]!));
    assert.match(moved[0]!, /echoes\.db\.damaged-/);
  });

  it("counts dropped messages", async (t) => {
    const background = open(t, { dataDir: "/dev/null/no-folder", file: "echoes.db" });
    await assert.rejects(ask(background, { kind: "read" }));
    post(background, { kind: "keep" });
    assert.equal(background.lost, 1);
  });

  it("is not started without messages, and accepts none after its end", async (t) => {
    const background = open(t, { dataDir: "/dev/null/no-folder", file: "echoes.db" });
    await background.close();
    post(background, { kind: "keep" });
    await assert.rejects(ask(background, { kind: "read" }), refusal(/not running/));
    assert.equal(background.problem, undefined);
  });
});
