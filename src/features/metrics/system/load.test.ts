import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { describe, it } from "node:test";
import { createLoad, readOsLoad, readProcLoad } from "./load.ts";
import { createFakeMachine, valuesOf } from "./testing/fake-machine.ts";

describe("the load", () => {
  it("is read from /proc", (t) => {
    const { root } = createFakeMachine(t, { "proc/loadavg": "0.39 1.02 14.40 3/106 28232\n" });
    const values = valuesOf(createLoad(() => readProcLoad(root)));
    assert.deepEqual(values, { "load.1": 0.39, "load.5": 1.02, "load.15": 14.4 });
  });

  it("is absent when the file is missing or garbage", (t) => {
    const machine = createFakeMachine(t);
    const load = createLoad(() => readProcLoad(machine.root));
    assert.deepEqual(valuesOf(load), {});
    machine.write({ "proc/loadavg": "none of it" });
    assert.deepEqual(valuesOf(load), {});
    machine.write({ "proc/loadavg": "0.5\n" });
    assert.deepEqual(valuesOf(load), { "load.1": 0.5 });
  });

  it("is what Node says elsewhere", () => {
    const [, , fifteen] = loadavg();
    const values = valuesOf(createLoad(() => readOsLoad("darwin")));
    assert.deepEqual(Object.keys(values), ["load.1", "load.5", "load.15"]);
    assert.ok(Math.abs(values["load.15"]! - fifteen!) < 0.1);
  });

  it("is absent on Windows, where Node says zero", () => {
    assert.deepEqual(valuesOf(createLoad(() => readOsLoad("win32"))), {});
  });
});
