import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Engine } from "../../storage/index.ts";
import { engines } from "../../storage/testing/test-database.ts";
import type { AuthTables } from "../tables.ts";
import { createTestClock, openTestDatabase } from "../testing/server.ts";
import { createThrottle } from "./throttle.ts";

const minutes = 60_000;

async function open(t: TestContext, engine: Engine) {
  const store = await openTestDatabase(t, engine);
  const clock = createTestClock();
  const use = { queries: 0 };
  const database = async () => {
    use.queries++;
    return store;
  };
  const throttle = createThrottle({ database, clock });
  const guess = (times: number, account: string, address: string) =>
    Promise.allSettled(Array.from({ length: times }, () => throttle.begin(account, address)));
  const readRows = () =>
    store.tables<AuthTables>().selectFrom("annex_login_attempts").selectAll().orderBy("key").execute();
  const countRows = async () => (await readRows()).length;
  return { store, clock, throttle, guess, readRows, countRows, use };
}

const passed = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === "fulfilled").length;

for (const engine of engines) {
  describe(`throttle on ${engine}`, () => {
    test("of 100 concurrent guesses from one address for one account, 5 are compared", async (t) => {
      const { guess, throttle } = await open(t, engine);
      assert.equal(passed(await guess(100, "ada@example.com", "203.0.113.7")), 5);
      await assert.rejects(throttle.begin("ada@example.com", "203.0.113.7"), {
        code: "TOO_MANY_ATTEMPTS",
        status: 429,
        message: "Too many failed sign-ins. Try again in 15 minutes.",
        headers: { "Retry-After": "900" },
      });
    });

    test("one address has 20 guesses at any accounts, and then adds no rows", async (t) => {
      const { throttle, countRows } = await open(t, engine);
      let through = 0;
      for (let index = 0; index < 40; index++) {
        const begun = throttle.begin(`a${index}@example.com`, `2001:db8::${index}`);
        through += await begun.then(
          () => 1,
          () => 0,
        );
      }
      assert.equal(through, 20);
      assert.equal(await countRows(), 1 + 20 + 20);
    });

    test("one account can be guessed at 50 times from anywhere", async (t) => {
      const { guess } = await open(t, engine);
      let through = 0;
      for (let host = 0; host < 15; host++)
        through += passed(await guess(5, "ada@example.com", `203.0.113.${host}`));
      assert.equal(through, 50);
    });

    test("one address alone cannot lock others out of an account", async (t) => {
      const { guess } = await open(t, engine);
      await guess(200, "ada@example.com", "203.0.113.7");
      assert.equal(passed(await guess(1, "ada@example.com", "198.51.100.1")), 1);
    });

    test("a window ends, and a new one begins", async (t) => {
      const { guess, clock, throttle } = await open(t, engine);
      await guess(5, "ada@example.com", "203.0.113.7");
      clock.advance(14 * minutes);
      await assert.rejects(throttle.begin("ada@example.com", "203.0.113.7"), {
        message: /in a minute/,
        headers: { "Retry-After": "60" },
      });
      clock.advance(minutes);
      assert.equal(passed(await guess(10, "ada@example.com", "203.0.113.7")), 5);
    });

    test("a success resets the counters and does not use up an attempt", async (t) => {
      const { guess, throttle } = await open(t, engine);
      for (let count = 0; count < 60; count++) {
        const attempt = await throttle.begin("ada@example.com", "203.0.113.7");
        await attempt.succeed();
      }
      await guess(4, "ada@example.com", "203.0.113.7");
      await (await throttle.begin("ada@example.com", "203.0.113.7")).succeed();
      assert.equal(passed(await guess(10, "ada@example.com", "203.0.113.7")), 5);
    });

    test("an attempt that could not be compared is not counted", async (t) => {
      const { throttle } = await open(t, engine);
      for (let count = 0; count < 60; count++) {
        const attempt = await throttle.begin("ada@example.com", "203.0.113.7");
        await attempt.withdraw();
      }
    });

    test("the count survives a restart and is shared by all instances", async (t) => {
      const { guess, store, clock } = await open(t, engine);
      await guess(5, "ada@example.com", "203.0.113.7");
      const other = createThrottle({ database: async () => store, clock });
      await assert.rejects(other.begin("ada@example.com", "203.0.113.7"), { code: "TOO_MANY_ATTEMPTS" });
    });

    test("stale rows are cleared away", async (t) => {
      const { throttle, clock, countRows } = await open(t, engine);
      for (let host = 0; host < 10; host++) await throttle.begin("ada@example.com", `203.0.113.${host}`);
      clock.advance(15 * minutes);
      await throttle.begin("grace@example.com", "198.51.100.1");
      assert.equal(await countRows(), 3);
    });

    test("a refused attempt writes nothing, and reads at most once a second", async (t) => {
      const { guess, readRows, clock, use } = await open(t, engine);
      await guess(5, "ada@example.com", "203.0.113.7");
      const before = await readRows();
      await guess(1, "ada@example.com", "203.0.113.7");
      const { queries } = use;
      assert.equal(passed(await guess(200, "ada@example.com", "203.0.113.7")), 0);
      assert.equal(use.queries, queries);
      clock.advance(1_000);
      assert.equal(passed(await guess(1, "ada@example.com", "203.0.113.7")), 0);
      assert.equal(use.queries, queries + 1);
      assert.deepEqual(await readRows(), before);
    });

    test("refused attempts at one account do not use up the attempts of the address", async (t) => {
      const { guess } = await open(t, engine);
      await guess(100, "ada@example.com", "203.0.113.7");
      let through = 0;
      for (let index = 0; index < 20; index++)
        through += passed(await guess(1, `a${index}@example.com`, "203.0.113.7"));
      assert.equal(through, 15);
    });

    test("two instances together allow exactly the limit", async (t) => {
      const { guess, store, clock } = await open(t, engine);
      const other = createThrottle({ database: async () => store, clock });
      const others = Array.from({ length: 50 }, () => other.begin("ada@example.com", "203.0.113.7"));
      const outcomes = await Promise.all([
        Promise.allSettled(others),
        guess(50, "ada@example.com", "203.0.113.7"),
      ]);
      assert.equal(passed(outcomes.flat()), 5);
    });

    test("a success on another instance forgives within a second", async (t) => {
      const { guess, store, clock, throttle } = await open(t, engine);
      const other = createThrottle({ database: async () => store, clock });
      const attempt = await other.begin("ada@example.com", "203.0.113.7");
      await guess(5, "ada@example.com", "203.0.113.7");
      await attempt.succeed();
      clock.advance(1_000);
      await throttle.begin("ada@example.com", "203.0.113.7");
    });

    test("a success here forgives immediately", async (t) => {
      const { guess, throttle } = await open(t, engine);
      const attempt = await throttle.begin("ada@example.com", "203.0.113.7");
      await guess(5, "ada@example.com", "203.0.113.7");
      await attempt.succeed();
      await throttle.begin("ada@example.com", "203.0.113.7");
    });

    test("a purge runs once a minute, and again while there is more to delete", async (t) => {
      const { throttle, store, clock, countRows } = await open(t, engine);
      const addStale = async (from: number, to: number) => {
        const rows = Array.from({ length: to - from }, (_, index) => ({
          key: `stale ${from + index}`,
          count: 1,
          expires: clock.now(),
        }));
        await store.tables<AuthTables>().insertInto("annex_login_attempts").values(rows).execute();
      };
      const countAfterAttempt = async (account: string) => {
        await (await throttle.begin(account, "203.0.113.7")).withdraw();
        return await countRows();
      };
      await addStale(0, 150);
      assert.equal(await countAfterAttempt("ada@example.com"), 50 + 3);
      assert.equal(await countAfterAttempt("ada@example.com"), 3);
      await addStale(150, 160);
      assert.equal(await countAfterAttempt("ada@example.com"), 10 + 3);
      clock.advance(minutes);
      assert.equal(await countAfterAttempt("ada@example.com"), 3);
    });

    test("the store contains neither emails nor addresses", async (t) => {
      const { throttle, store } = await open(t, engine);
      await throttle.begin("ada@example.com", "203.0.113.7");
      const rows = await store.tables<AuthTables>().selectFrom("annex_login_attempts").selectAll().execute();
      assert.doesNotMatch(JSON.stringify(rows), /ada|203/);
    });
  });
}
