import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import { FakeClock, settle } from "../../lib/testing/fake-clock.ts";
import { createAccessWatch } from "./access-watch.ts";

class TestResponse extends EventEmitter {
  isDestroyed = false;
  destroy(): this {
    this.isDestroyed = true;
    this.emit("close");
    return this;
  }
}

/** A watch over a set of valid tokens, and the queries that it has made. */
function createWatch() {
  const clock = new FakeClock(0);
  const valid = new Set(["a", "b"]);
  const queries: string[][] = [];
  const store = {
    findValid: async (hashes: readonly string[]) => new Set(hashes.filter((h) => valid.has(h))),
  };
  const watch = createAccessWatch({
    clock,
    findValid(hashes) {
      queries.push([...hashes]);
      return store.findValid(hashes);
    },
  });
  const follow = (hash: string) => {
    const response = new TestResponse();
    return { response, signal: watch.follow(hash, response as never) };
  };
  return { clock, valid, queries, store, watch, follow };
}

describe("the watch over open streams", () => {
  it("asks once a second for all of them together, and not at all without any", async () => {
    const { clock, queries, follow } = createWatch();
    await clock.elapse(5_000);
    assert.deepEqual(queries, []);
    const streams = [follow("a"), follow("b"), follow("a")];
    await clock.elapse(3_000);
    assert.deepEqual(queries, [
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
    ]);
    for (const { response } of streams) response.emit("close");
    await clock.elapse(5_000);
    assert.equal(queries.length, 3);
  });

  it("ends only the streams of a token that is no longer valid", async () => {
    const { clock, valid, follow } = createWatch();
    const [first, second, other] = [follow("a"), follow("a"), follow("b")];
    await clock.elapse(1_000);
    valid.delete("a");
    await clock.elapse(1_000);
    assert.deepEqual(
      [first.signal.aborted, second.signal.aborted, other.signal.aborted],
      [true, true, false],
    );
  });

  it("asks without delay when this instance ends a token, also while a query is on its way", async () => {
    const { clock, valid, store, watch, follow, queries } = createWatch();
    const { signal } = follow("a");
    const early = Promise.withResolvers<Set<string>>();
    const { findValid } = store;
    store.findValid = () => early.promise;
    clock.advance(1_000);
    valid.delete("a");
    store.findValid = findValid;
    watch.check();
    assert.equal(queries.length, 1);
    early.resolve(new Set(["a"]));
    await settle();
    assert.equal(queries.length, 2);
    assert.equal(signal.aborted, true);
  });

  for (const [what, findValid] of [
    ["fails", () => Promise.reject(new Error("down"))],
    ["does not respond", () => new Promise<never>(() => {})],
  ] as const) {
    it(`ends streams ten seconds after the last confirmation when the database ${what}`, async () => {
      const { clock, store, follow } = createWatch();
      const before = follow("a");
      await clock.elapse(5_000);
      const { findValid: good } = store;
      store.findValid = findValid;
      await clock.elapse(9_000);
      assert.equal(before.signal.aborted, false);
      await clock.elapse(1_000);
      assert.equal(before.signal.aborted, true);
      store.findValid = good;
      const after = follow("a");
      await clock.elapse(20_000);
      assert.equal(after.signal.aborted, false);
    });
  }

  it("keeps streams over a failure that is shorter", async () => {
    const { clock, store, follow } = createWatch();
    const { signal } = follow("a");
    const { findValid } = store;
    for (let count = 0; count < 3; count++) {
      store.findValid = () => Promise.reject(new Error("down"));
      await clock.elapse(8_000);
      store.findValid = findValid;
      await clock.elapse(1_000);
    }
    assert.equal(signal.aborted, false);
  });

  it("disconnects a client that does not read the end", async () => {
    const { clock, valid, follow } = createWatch();
    const [reads, stalls] = [follow("a"), follow("a")];
    valid.delete("a");
    await clock.elapse(1_000);
    reads.response.emit("close");
    clock.advance(500);
    assert.deepEqual([reads.response.isDestroyed, stalls.response.isDestroyed], [false, true]);
  });
});
