import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Hooks } from "./hooks.ts";

interface Recorded {
  log: string[];
}

describe("hooks", () => {
  it("run by priority, then in the order they were added, one after the other", async () => {
    const hooks = new Hooks<Recorded>();
    hooks.add(async ({ log }) => {
      await null;
      log.push("b");
    });
    hooks.add(({ log }) => log.push("c"));
    hooks.add(({ log }) => log.push("a"), { priority: -1 });
    hooks.add(({ log }) => log.push("d"), { priority: 5 });
    const log: string[] = [];
    await hooks.run({ log });
    assert.deepEqual(log, ["a", "b", "c", "d"]);
  });

  it("that call next have the last word too, and later ones still run once", async () => {
    const hooks = new Hooks<Recorded>();
    hooks.add(async ({ log, next }) => {
      log.push("before");
      await next();
      log.push("after");
    });
    hooks.add(({ log }) => log.push("inner"));
    const log: string[] = [];
    await hooks.run({ log });
    assert.deepEqual(log, ["before", "inner", "after"]);
  });

  it("refuse unknown options", () => {
    const options = { priorty: 1 } as object;
    assert.throws(() => new Hooks().add(() => {}, options), {
      name: "TypeError",
      message: 'The hook has no option "priorty". It has id, priority.',
    });
  });

  it("must be functions", () => {
    const other = { id: "x", func: () => {} } as never;
    assert.throws(() => new Hooks().add(other), {
      name: "TypeError",
      message: "The hook must be a function, but is an object.",
    });
  });

  it("replace one of the same ID, in its place", async () => {
    const hooks = new Hooks<Recorded>();
    hooks.add(({ log }) => log.push("old"), { id: "x" });
    hooks.add(({ log }) => log.push("other"));
    hooks.add(({ log }) => log.push("new"), { id: "x" });
    const log: string[] = [];
    await hooks.run({ log });
    assert.deepEqual(log, ["new", "other"]);
  });

  it("stop at the first that fails", async () => {
    const hooks = new Hooks<Recorded>();
    hooks.add(() => {
      throw new Error("broken");
    });
    hooks.add(({ log }) => log.push("never"));
    const log: string[] = [];
    await assert.rejects(hooks.run({ log }), /broken/);
    assert.deepEqual(log, []);
  });
});
