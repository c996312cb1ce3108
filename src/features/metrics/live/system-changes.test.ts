import assert from "node:assert/strict";
import { it } from "node:test";
import { findChanges } from "./system-changes.ts";

it("are the values that differ, with five digits, and null for those that are gone", () => {
  const before = { "cpu.ratio": 0.5, "load.1": 1, "network.eth1.in": 7 };
  assert.deepEqual(findChanges(before, { "cpu.ratio": 0.123456789, "load.1": 1, "gc.count": 0 }), {
    "cpu.ratio": 0.12346,
    "gc.count": 0,
    "network.eth1.in": null,
  });
});
