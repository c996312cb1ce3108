import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { createLongCall } from "./long-call.ts";

function create() {
  const clock = new FakeClock(0);
  const works: PromiseWithResolvers<{ value: number }>[] = [];
  const call = createLongCall(() => {
    works.push(Promise.withResolvers());
    return works.at(-1)!.promise;
  }, clock);
  return { clock, works, call };
}

describe("a long call", () => {
  it("returns the result of short work, and starts again with the next call", async () => {
    const { works, call } = create();
    for (const value of [1, 2]) {
      const result = call();
      works.at(-1)!.resolve({ value });
      assert.deepEqual(await result, { value });
    }
    assert.equal(works.length, 2);
  });

  it("returns nothing in time, and the result to a later call, also if it was there before", async () => {
    const { clock, works, call } = create();
    const first = call();
    clock.advance(10_000);
    assert.equal(await first, undefined);
    const second = call();
    clock.advance(10_000);
    assert.equal(await second, undefined);
    works[0]!.resolve({ value: 7 });
    await settle();
    assert.deepEqual(await call(), { value: 7 });
    assert.equal(works.length, 1);
  });

  it("returns a result to each caller, whenever it calls while another one takes the result", async () => {
    for (let turns = 0; turns < 10; turns++) {
      const { works, call } = create();
      const first = call();
      works[0]!.resolve({ value: 1 });
      for (let turn = 0; turn < turns; turn++) await null;
      const second = call();
      works[1]?.resolve({ value: 2 });
      assert.deepEqual([await first, await second], [{ value: 1 }, { value: works.length }]);
    }
  });

  for (const outcome of ["result", "failure"])
    it(`starts new work after an abandoned call, and forgets its ${outcome}`, async () => {
      const { clock, works, call } = create();
      const abandoned = call();
      clock.advance(10_000);
      assert.equal(await abandoned, undefined);
      if (outcome === "result") works[0]!.resolve({ value: 1 });
      else works[0]!.reject(new Error("failed"));
      await settle();
      clock.advance(10_000);
      const next = call();
      works[1]!.resolve({ value: 2 });
      assert.deepEqual(await next, { value: 2 });
    });

  it("rejects if the work fails, once", async () => {
    const { clock, works, call } = create();
    const first = call();
    clock.advance(10_000);
    assert.equal(await first, undefined);
    works[0]!.reject(new Error("failed"));
    await settle();
    await assert.rejects(call(), /failed/);
    const again = call();
    works[1]!.resolve({ value: 1 });
    assert.deepEqual(await again, { value: 1 });
  });
});
