import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRateLimit, rateLimiterOf } from "../../http/index.ts";
import { FakeClock, settle } from "../../lib/testing/fake-clock.ts";
import type { Count, CountStore } from "./count-store.ts";
import { startExchange } from "./exchange.ts";
import { type NamedLimiter, nameLimiters } from "./named-limiters.ts";

/** The counts of all instances in memory, which can fail or not respond. */
class FakeStore implements CountStore {
  readonly statements: (readonly Count[])[] = [];
  readonly counts = new Map<string, number>();
  purges = 0;
  error: Error | undefined;
  gate: Promise<void> = Promise.resolve();

  async add(counts: readonly Count[]): Promise<Count[]> {
    this.statements.push(counts);
    await this.gate;
    if (this.error) throw this.error;
    return counts.map(({ key, count, remainingMs }) => {
      const sum = (this.counts.get(key) ?? 0) + count;
      this.counts.set(key, sum);
      return { key, count: sum, remainingMs };
    });
  }

  async purge(): Promise<boolean> {
    this.purges++;
    return false;
  }
}

function createLimiter(clock: FakeClock, options = {}): NamedLimiter {
  const { func } = createRateLimit({ limit: 100, per: "1m", ...options }, clock);
  const [limiter] = nameLimiters([{ place: "GET /x", func }]);
  return limiter!;
}

function createFleet(options = {}) {
  const clock = new FakeClock("2026-11-17T12:00:00Z");
  const store = new FakeStore();
  const problems: unknown[] = [];
  const start = () => {
    const limiter = createLimiter(clock, options);
    const { counter } = limiter;
    const exchange = startExchange({
      store,
      clock,
      limiters: [limiter],
      onProblem: (error) => problems.push(error),
    });
    const take = (key: string, count = 1) => {
      for (let index = 0; index < count; index++) counter.add(counter.find(key, clock.elapsed()));
    };
    return { exchange, take, countOf: (key: string) => counter.find(key, clock.elapsed()).count, counter };
  };
  return { clock, store, problems, start };
}

describe("the exchange of counts", () => {
  it("sends the counts of a quarter of a second with one statement, and none without requests", async () => {
    const { clock, store, start } = createFleet();
    const { take } = start();
    take("a", 2);
    take("b");
    await clock.elapse(249, 249);
    assert.equal(store.statements.length, 0);
    await clock.elapse(1);
    assert.deepEqual(
      store.statements.map((counts) => counts.map(({ count, remainingMs }) => [count, remainingMs])),
      [
        [
          [2, 59_750],
          [1, 59_750],
        ],
      ],
    );
    await clock.elapse(60_000);
    assert.equal(store.statements.length, 1);
  });

  it("adds the requests of other instances", async () => {
    const { clock, start } = createFleet();
    const [one, other] = [start(), start()];
    one.take("a", 3);
    other.take("a", 4);
    await clock.elapse(250);
    assert.deepEqual([one.countOf("a"), other.countOf("a")], [3, 7]);
    one.take("a");
    assert.equal(one.countOf("a"), 4);
    await clock.elapse(250);
    assert.equal(one.countOf("a"), 8);
  });

  it("keeps requests that arrive while the database works", async () => {
    const { clock, store, start } = createFleet();
    const { take, countOf } = start();
    const gate = Promise.withResolvers<void>();
    store.gate = gate.promise;
    take("a", 3);
    await clock.elapse(250);
    take("a", 2);
    await clock.elapse(10_000, 250);
    assert.equal(store.statements.length, 1, "one statement at a time");
    gate.resolve();
    await settle();
    assert.equal(countOf("a"), 5);
    await clock.elapse(250);
    assert.deepEqual([store.statements.length, countOf("a")], [2, 5]);
  });

  it("counts alone while the database fails, retries every five seconds, and reports both once", async () => {
    const { clock, store, problems, start } = createFleet();
    const { take, countOf } = start();
    store.error = new Error("gone");
    for (let second = 0; second < 20; second++) {
      take("a");
      await clock.elapse(1_000, 250);
    }
    assert.equal(countOf("a"), 20);
    assert.deepEqual(problems, [store.error]);
    assert.equal(store.statements.length, 4);
    store.error = undefined;
    await clock.elapse(5_000, 250);
    assert.deepEqual([...store.counts.values()], [20]);
    assert.deepEqual(problems.slice(1), [undefined]);
    assert.equal(countOf("a"), 20);
  });

  it("sends at most a thousand keys at a time", async () => {
    const { clock, store, start } = createFleet();
    const { take } = start();
    for (let index = 0; index < 2_500; index++) take(`key ${index}`);
    await clock.elapse(1_000, 250);
    assert.deepEqual(
      store.statements.map((counts) => counts.length),
      [1_000, 1_000, 500],
    );
    assert.equal(store.counts.size, 2_500);
  });

  it("takes no more memory for keys while the database is gone", async () => {
    const { clock, store, start } = createFleet({ maxKeys: 100 });
    const { take, counter } = start();
    store.error = new Error("gone");
    for (let round = 0; round < 50; round++) {
      for (let index = 0; index < 200; index++) take(`key ${round} ${index}`);
      await clock.elapse(250);
    }
    assert.equal(counter.size, 100);
    assert.ok(counter.takeUnshared(1_000).length <= 100);
  });

  it("does not send counts of a window that has ended", async () => {
    const { clock, store, start } = createFleet({ per: "1s" });
    const { take } = start();
    store.error = new Error("gone");
    take("a", 3);
    await clock.elapse(250);
    store.error = undefined;
    await clock.elapse(10_000, 250);
    assert.equal(store.statements.length, 1);
    take("a");
    await clock.elapse(10_000, 250);
    assert.deepEqual([...store.counts.values()], [1]);
  });

  it("deletes expired counts once a minute, while there are requests", async () => {
    const { clock, store, start } = createFleet();
    const { take } = start();
    for (let second = 0; second < 150; second++) {
      take("a");
      await clock.elapse(1_000, 250);
    }
    assert.equal(store.purges, 2);
  });

  it("sends pending counts when it closes, unless the database has failed", async () => {
    const { clock, store, start } = createFleet();
    const { take, exchange } = start();
    take("a", 3);
    await exchange.close();
    assert.deepEqual([...store.counts.values()], [3]);
    take("a");
    await clock.elapse(1_000);
    assert.equal(store.statements.length, 1);
    const other = start();
    store.error = new Error("gone");
    other.take("b");
    await clock.elapse(250);
    await other.exchange.close();
    assert.equal(store.statements.length, 2);
  });
});

describe("the names of rate limits", () => {
  const clock = new FakeClock(0);
  const limit = (options = {}) => createRateLimit({ limit: 5, per: "1m", ...options }, clock).func;

  it("come from the first place that they are bound to, or from the option", () => {
    const [shared, named, other] = [limit(), limit({ name: "login" }), limit()];
    const found = nameLimiters([
      { place: "/api", func: shared },
      { place: "GET /x", func: () => {} },
      { place: "GET /x", func: shared },
      { place: "POST /login", func: named },
      { place: "POST /login", func: other },
      { place: "POST /login", func: limit() },
    ]);
    assert.deepEqual(
      found.map(({ id }) => id),
      ["place /api 5 60000 1", "name login", "place POST /login 5 60000 1", "place POST /login 5 60000 2"],
    );
    assert.equal(found[0]?.counter, rateLimiterOf(shared)?.counter);
  });

  it("are unique", () => {
    const bound = [limit({ name: "login" }), limit({ name: "login" })].map((func) => ({ place: "/", func }));
    assert.throws(() => nameLimiters(bound), {
      name: "RouteError",
      message:
        'Two rate limits have the name "login". Rename one, or call rateLimit once and bind the result to both.',
    });
  });
});
