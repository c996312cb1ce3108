import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { parseSync } from "oxc-parser";
import { childrenOf } from "../src/features/docs/analysis/source/source-file.ts";

const root = resolve(import.meta.dirname, "..");
const longestFile = 450;
const longestFunction = 100;

/** Tests and their helpers may list as many cases as they need. */
const files = globSync(["src/**/*.{ts,tsx}", "web/src/**/*.{ts,tsx}"], { cwd: root })
  .filter((file) => !/\.test\.tsx?$|[\\/]testing[\\/]/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

const countLines = (text: string) => text.trimEnd().split("\n").length;

/** Functions of all kinds. One that creates an object counts with the functions of the object. */
function longFunctions({ file, text }: { file: string; text: string }): string[] {
  const found: string[] = [];
  const visit = (node: ReturnType<typeof parseSync>["program"] | ReturnType<typeof childrenOf>[number]) => {
    const lines = countLines(text.slice(node.start, node.end));
    if (/^(Function|ArrowFunction)/.test(node.type) && lines > longestFunction)
      found.push(`${file}:${countLines(text.slice(0, node.start + 1))}: ${lines} lines`);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseSync(file, text).program);
  return found;
}

describe("the source", () => {
  it("is read at all", () => assert.ok(files.length > 800));

  it(`has no file of more than ${longestFile} lines`, () => {
    const long = files.filter(({ text }) => countLines(text) > longestFile);
    assert.deepEqual(
      long.map(({ file, text }) => `${file}: ${countLines(text)} lines`),
      [],
    );
  });

  it(`has no function of more than ${longestFunction} lines`, () => {
    assert.deepEqual(files.flatMap(longFunctions), []);
  });

  it("would find a long function, also one in a method or an arrow function", () => {
    const body = "f();\n".repeat(longestFunction);
    const sources = [
      `function f() {\n${body}}`,
      `const f = () => {\n${body}};`,
      `class A { f() {\n${body}} }`,
    ];
    for (const text of sources)
      assert.equal(longFunctions({ file: "a.ts", text }).length, 1, text.slice(0, 20));
    assert.deepEqual(longFunctions({ file: "a.ts", text: "function f() {\n  g();\n}" }), []);
  });
});
