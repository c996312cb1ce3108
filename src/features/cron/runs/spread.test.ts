import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toShares, toSlices } from "./spread.ts";

const jobs = Array.from({ length: 500 }, (_, index) => `job${index}`);
const slicesOf = (instance: string, items = jobs, instanceCount = 5) =>
  toSlices(items, { instance, instanceCount }, (job) => job);

describe("the slices of what is due", () => {
  it("contain everything once", () => {
    assert.deepEqual(slicesOf("one").flat().toSorted(), jobs.toSorted());
    assert.deepEqual(slicesOf("one", []), []);
  });

  it("have the same order on every call, and another one on each instance", () => {
    assert.deepEqual(slicesOf("one"), slicesOf("one"));
    const shared = slicesOf("one")[0]!.filter((job) => slicesOf("two")[0]!.includes(job));
    assert.ok(shared.length < 10, `${shared.length} of 20 are the same`);
  });

  it("are few, even for ten thousand jobs", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `job${index}`);
    assert.equal(slicesOf("one", many).length, 25);
  });

  for (const count of [2, 5, 10]) {
    it(`give ${count} instances that take turns about the same number`, () => {
      const taken = new Set<string>();
      const instances = Array.from({ length: count }, (_, index) => ({
        slices: slicesOf(`instance ${index}`, jobs, count),
        won: 0,
      }));
      for (let round = 0; taken.size < jobs.length; round++) {
        for (const instance of instances) {
          const free = instance.slices[round]!.filter((job) => !taken.has(job));
          for (const job of free) taken.add(job);
          instance.won += free.length;
        }
      }
      const fair = jobs.length / count;
      for (const { won } of instances)
        assert.ok(Math.abs(won - fair) <= 0.3 * fair, `${won} instead of ${fair}`);
    });
  }
});

describe("the shares of what is due", () => {
  const shareOf = (rank: number, instanceCount: number, items = jobs) =>
    toShares(items, { instanceCount, rank }, (job) => job);

  for (const count of [2, 5, 50]) {
    it(`of ${count} instances contain everything once, and are equal`, () => {
      const shares = Array.from({ length: count }, (_, rank) => shareOf(rank, count));
      assert.deepEqual(shares.flatMap(({ own }) => own).toSorted(), jobs.toSorted());
      for (const { own, asSubstitute, rest } of shares) {
        assert.equal(own.length, jobs.length / count);
        assert.deepEqual([...own, ...asSubstitute, ...rest].toSorted(), jobs.toSorted());
      }
    });
  }

  for (const count of [2, 5, 50]) {
    it(`of ${count} instances divide the share of each one evenly among the others`, () => {
      const shares = Array.from({ length: count }, (_, rank) => shareOf(rank, count));
      assert.deepEqual(shares.flatMap(({ asSubstitute }) => asSubstitute).toSorted(), jobs.toSorted());
      for (const { own } of shares) {
        const parts = shares.map(
          ({ asSubstitute }) => own.filter((job) => asSubstitute.includes(job)).length,
        );
        const others = parts.filter((_, rank) => shares[rank]!.own !== own);
        assert.ok(Math.max(...others) - Math.min(...others) <= 1, `${others}`);
      }
    });
  }

  it("do not depend on the order of registration", () => {
    assert.deepEqual(shareOf(3, 5, jobs.toReversed()).own, shareOf(3, 5).own);
  });

  it("differ from one tick to the next, so that no instance has the same jobs forever", () => {
    const at = (tick: number) => toShares(jobs, { instanceCount: 5, rank: 0 }, (job) => `${job} ${tick}`).own;
    const shared = at(60_000).filter((job) => at(120_000).includes(job));
    assert.ok(shared.length < 50, `${shared.length} of 100 are the same`);
  });
});
