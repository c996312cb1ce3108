import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readError } from "./error-text.ts";

const limits = { message: 1_000, stack: 8_000 };
const frames =
  "\n    at find (/app/users.ts:1:2)\n    at async Promise.all (index 0)\n    at node:internal/a:1:1";

function stackOf(message: string, stack: string): string {
  return readError(Object.assign(new Error(message), { stack }), limits).stack;
}

describe("the stack of an error", () => {
  for (const [end, expected] of [
    ["\n", ""],
    ["\n\nNode.js v24.1.0\n", ""],
    ["\r\n", "\r"],
    ["\nFrom previous event:\n    at q", "\n    at q"],
  ] as const)
    it(`keeps its frames before ${JSON.stringify(end)}`, () =>
      assert.equal(stackOf("lost", `Error: lost${frames}${end}`), `Error: lost${frames}${expected}`));

  it("keeps frames with another indentation", () =>
    assert.equal(stackOf("lost", "Error: lost\n  at a\n\tat b"), "Error: lost\n  at a\n\tat b"));

  it("keeps its frames after long text before the message", () => {
    const stack = `${"x".repeat(300)}: lost${frames}\n`;
    assert.equal(stackOf("lost", stack), `Error: lost${frames}`);
  });

  it("keeps its frames after a message that was replaced", () =>
    assert.equal(stackOf("new", `Error: old${frames}\n\n`), `Error: new${frames}`));

  it("does not contain lines of a message that look like frames", () => {
    const message = "lost\n    at VALUE\n  at VALUE home\nVALUE";
    for (const shown of ["new", "lost", ""])
      assert.doesNotMatch(stackOf(shown, `Error: ${message}${frames}`), /VALUE/);
    assert.match(stackOf("lost", `Error: ${message}${frames}`), /users\.ts:1:2[\s\S]*index 0[\s\S]*internal/);
  });

  it("contains no credentials in its frames", () =>
    assert.equal(
      stackOf("lost", "Error: lost\n    at get (http://h/?token=t)\n    at password: hunter\n"),
      "Error: lost\n    at get (http://h/?token=[redacted]\n    at password: [redacted]",
    ));
});

describe("the message of an error", () => {
  for (const [message, expected] of [
    ['Order 5, received "ok" from "shop"', "Order 5, received [redacted]"],
    ['age (was "VALUE")', "age (was [redacted])"],
  ] as const)
    it(`contains no value: ${message}`, () => {
      const read = readError(new Error(message), limits);
      assert.equal(read.message, expected);
      assert.ok(read.stack.startsWith(`Error: ${expected}\n    at `));
    });
});
