import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { startProgram } from "../support/program.ts";

const root = resolve(import.meta.dirname, "../..");

describe("the client of the shop example", () => {
  it("is current", async (t) => {
    const args = ["client", "examples/shop/main.ts", "--out", "examples/shop/api-client.ts", "--check"];
    const program = startProgram(t, [join(root, "src/cli/bin.ts"), ...args], { cwd: root });
    assert.deepEqual(await program.ended, [0, null], program.stderr);
  });
});
