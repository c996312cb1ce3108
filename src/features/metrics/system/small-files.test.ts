import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { readSmallFile } from "./small-files.ts";
import { createFakeMachine } from "./testing/fake-machine.ts";

it("a small file is read whole, one after the other through the same buffer", (t) => {
  const { root } = createFakeMachine(t, { long: "a long text", short: "short" });
  assert.equal(readSmallFile(join(root, "long")), "a long text");
  assert.equal(readSmallFile(join(root, "short")), "short");
});

it("a file that is missing or a folder is empty", (t) => {
  const { root } = createFakeMachine(t);
  assert.equal(readSmallFile(join(root, "missing")), "");
  assert.equal(readSmallFile(root), "");
});

it("of a long file only the beginning is read", (t) => {
  const { root } = createFakeMachine(t, { long: "x".repeat(200_000) });
  assert.equal(readSmallFile(join(root, "long")), "x".repeat(65_536));
});
