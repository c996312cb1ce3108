import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { createStoreProbe } from "./store-probe.ts";

function createProbe(write: () => Promise<void>) {
  const clock = new FakeClock(0);
  let writes = 0;
  const probeStore = () => {
    writes++;
    return write();
  };
  return { clock, probe: createStoreProbe({ probeStore, clock }), writes: () => writes };
}

describe("the readiness probe", () => {
  it("writes at most once per second, regardless of the number of callers", async () => {
    const { clock, probe, writes } = createProbe(async () => {});
    for (let second = 1; second <= 3; second++) {
      const results = await Promise.all(Array.from({ length: 100 }, () => probe()));
      assert.ok(results.every(({ isOk }) => isOk));
      await probe();
      clock.advance(999);
      await probe();
      assert.equal(writes(), second);
      clock.advance(1);
    }
  });

  it("gives up after two seconds, and does not write again before the first write has ended", async () => {
    let end = () => {};
    const { clock, probe, writes } = createProbe(() => new Promise((resolve) => (end = resolve)));
    const late = probe();
    clock.advance(2_000);
    assert.partialDeepStrictEqual(await late, { isOk: false, reason: "unavailable" });
    clock.advance(60_000);
    assert.equal((await probe()).isOk, false);
    assert.equal(writes(), 1);
    end();
    await new Promise(setImmediate);
    const next = probe();
    assert.equal(writes(), 2);
    end();
    assert.deepEqual(await next, { isOk: true });
  });

  it("has a reason for unknown errors", async () => {
    const { probe } = createProbe(() => Promise.reject(new Error("no such table")));
    assert.partialDeepStrictEqual(await probe(), { isOk: false, reason: "io_error" });
  });
});
