import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findOwnLocations, isOwnFrame } from "./own-frame.ts";

describe("a frame of a stack", () => {
  for (const [frame, expected] of [
    ["handler (C:\\app\\src\\todos.ts:12:3)", true],
    ["handler (file:///C:/app/src/todos.ts:12:3)", true],
    ["file:///app/src/todos.ts:12:3", true],
    ["next (C:\\app\\node_modules\\express\\index.js:12:3)", false],
    ["next (file:///C:/app/node_modules/express/index.js:12:3)", false],
    ["node:internal/process/task_queues:105:5", false],
    ["new Promise (<anonymous>)", false],
  ] as const)
    it(`${frame} is ${expected ? "" : "not "}of the application`, () =>
      assert.equal(isOwnFrame(frame), expected));

  it("names a file, also of Windows and with parentheses in its path", () => {
    const places: readonly [frame: string, file: string][] = [
      ["handler (C:\\app\\src\\todos.ts:12:3)", "C:\\app\\src\\todos.ts"],
      ["async C:\\Program Files (x86)\\app\\todos.js:12:3", "C:\\Program Files (x86)\\app\\todos.js"],
      ["handler (C:\\Program Files (x86)\\app\\todos.js:12:3)", "C:\\Program Files (x86)\\app\\todos.js"],
      ["/Users/ada/app (1)/todos.js:12:3", "/Users/ada/app (1)/todos.js"],
      ["Todos.find [as get] (/app/todos.js:12:3)", "/app/todos.js"],
    ];
    for (const [frame, file] of places) {
      const stack = `Error: no\n    at ${frame}`;
      assert.deepEqual(findOwnLocations(stack, "no"), [{ file, line: 12, column: 3 }], frame);
    }
  });

  it("without a file that can be read is left out", () => {
    assert.deepEqual(findOwnLocations("Error: no\n    at file:///app/%E0%A4%A.ts:1:2", "no"), []);
  });
});
