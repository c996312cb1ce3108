import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually, settles, until } from "./until.ts";

describe("until", () => {
  it("returns the first value that is as wanted", async () => {
    let count = 0;
    const value = await until(
      "the count is 3",
      () => ++count,
      (read) => read === 3,
    );
    assert.deepEqual([value, count], [3, 3]);
  });

  it("names the awaited condition and the last value after the limit", async () => {
    const waiting = until(
      "the moon is full",
      () => "new",
      (phase) => phase === "full",
      { within: 30 },
    );
    await assert.rejects(waiting, {
      message: 'Timed out while waiting until the moon is full. Last value: "new"',
    });
  });

  it("gives up a read that does not end", async () => {
    const waiting = until("the response comes", () => new Promise(() => {}), Boolean, { within: 30 });
    await assert.rejects(waiting, { message: "Timed out while waiting until the response comes" });
  });

  it("passes on the error of a read", async () => {
    await assert.rejects(
      until("it works", () => Promise.reject(new Error("refused"))),
      /refused/,
    );
  });
});

describe("eventually", () => {
  it("waits for a condition, and names it after the limit", async () => {
    let count = 0;
    await eventually(() => ++count === 3);
    assert.equal(count, 3);
    await assert.rejects(
      eventually(async () => count > 3, { within: 30 }),
      { message: "Timed out while waiting until async () => count > 3. Last value: false" },
    );
  });
});

describe("settles", () => {
  it("passes on a result or an error, and gives up otherwise", async () => {
    assert.equal(await settles("it ends", Promise.resolve(1)), 1);
    await assert.rejects(settles("it ends", Promise.reject(new Error("broken"))), /broken/);
    const never = settles(() => "it ends", new Promise(() => {}), { within: 30 });
    await assert.rejects(never, { message: "Timed out while waiting until it ends" });
  });
});
