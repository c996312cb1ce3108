import assert from "node:assert/strict";
import { closeSync, openSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { createDescriptors } from "./descriptors.ts";
import { createFakeMachine, valuesOf } from "./testing/fake-machine.ts";
import { throttleMs } from "./throttled.ts";

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     
Max processes             96360                96360                processes 
Max open files            ${soft.padEnd(20)} 1048576              files     
`;

describe("open descriptors", () => {
  it("are counted by the folder, less the one that lists it, against the soft limit", (t) => {
    const { root } = createFakeMachine(t, {
      "proc/self/fd/0": "",
      "proc/self/fd/1": "",
      "proc/self/fd/2": "",
      "proc/self/fd/17": "",
      "proc/self/limits": limits("1024"),
    });
    assert.deepEqual(valuesOf(createDescriptors(root)), {
      "process.open_descriptors": 3,
      "process.descriptor_limit": 1024,
    });
  });

  it("have no limit when there is none", (t) => {
    const { root } = createFakeMachine(t, { "proc/self/limits": limits("unlimited") });
    assert.deepEqual(valuesOf(createDescriptors(root)), {});
  });

  it("are absent where nothing can be read", (t) => {
    const machine = createFakeMachine(t);
    assert.deepEqual(valuesOf(createDescriptors(machine.root)), {});
    machine.write({ "proc/self/fd": "not a folder", "proc/self/limits": "garbage" });
    assert.deepEqual(valuesOf(createDescriptors(machine.root)), {});
  });

  it("of this process are counted every ten seconds, where Linux lists them", () => {
    const part = createDescriptors("/");
    const count = (now: number) => valuesOf(part, now)["process.open_descriptors"];
    const before = count(0);
    assert.equal(before, process.platform === "linux" ? readdirSync("/proc/self/fd").length - 1 : undefined);
    const opened = Array.from({ length: 20 }, () => openSync(import.meta.filename, "r"));
    assert.equal(count(throttleMs - 1), before);
    assert.equal(count(throttleMs), before === undefined ? undefined : before + opened.length);
    for (const file of opened) closeSync(file);
  });
});
