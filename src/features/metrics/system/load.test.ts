import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { describe, it } from "node:test";
import { createLoad, readOsLoad, readProcLoad } from "./load.ts";
import { createFakeMachine, figuresOf } from "./testing/fake-machine.ts";

describe("the load", () => {
  it("is read from /proc", (t) => {
    const { root } = createFakeMachine(t, { "proc/loadavg": "0.39 1.02 14.40 3/106 28232\n" });
    const figures = figuresOf(createLoad(() => readProcLoad(root)));
    assert.deepEqual(figures, { "load.1": 0.39, "load.5": 1.02, "load.15": 14.4 });
  });

  it("is absent when the file is missing or garbage", (t) => {
    const machine = createFakeMachine(t);
    const load = createLoad(() => readProcLoad(machine.root));
    assert.deepEqual(figuresOf(load), {});
    machine.write({ "proc/loadavg": "none of it" });
    assert.deepEqual(figuresOf(load), {});
    machine.write({ "proc/loadavg": "0.5\n" });
    assert.deepEqual(figuresOf(load), { "load.1": 0.5 });
  });

  it("is what Node says elsewhere", () => {
    const [, , fifteen] = loadavg();
    const figures = figuresOf(createLoad(() => readOsLoad("darwin")));
    assert.deepEqual(Object.keys(figures), ["load.1", "load.5", "load.15"]);
    assert.ok(Math.abs(figures["load.15"]! - fifteen!) < 0.1);
  });

  it("is absent on Windows, where Node says zero", () => {
    assert.deepEqual(figuresOf(createLoad(() => readOsLoad("win32"))), {});
  });
});
