import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../lib/testing/temporary-folder.ts";
import { findModuleProblem, findSyntaxError } from "./syntax-check.ts";

describe("a syntax error", () => {
  const write = (name: string, text: string) => {
    const path = join(createTemporaryFolder(), name);
    writeFileSync(path, text);
    return path;
  };

  it("has a line and a column, both from 1", () => {
    const path = write("server.ts", "start();\n  const = 1;\n");
    assert.ok(findSyntaxError(path)?.startsWith(`${path}:2:9: `), findSyntaxError(path));
    const first = write("first.ts", ")");
    assert.ok(findSyntaxError(first)?.startsWith(`${first}:1:1: `), findSyntaxError(first));
  });

  it("is found only in sources that exist", () => {
    assert.equal(findSyntaxError(write("server.ts", "const port: number = 1;")), undefined);
    assert.equal(findSyntaxError(write("notes.md", "const = 1;")), undefined);
    assert.equal(findSyntaxError("/nothing/server.ts"), undefined);
  });
});

describe("an entry in a CommonJS package", () => {
  const folder = createTemporaryFolder();
  const entry = join(folder, "server.ts");
  const description = { repository: { type: "git" }, type: "commonjs" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(description));
  writeFileSync(entry, 'import { createApp } from "annex";');

  it("is refused, because Node would not run it", () => {
    assert.match(
      findModuleProblem(entry, "--max-old-space-size=512")!,
      /Run "npm pkg set type=module", or use a loader: NODE_OPTIONS="--import tsx"$/,
    );
  });

  for (const options of [
    "--import tsx",
    "--import=tsx",
    "--max-old-space-size=512 --require ts-node/register",
    "-r esbuild-register",
    "--experimental-loader ts-node/esm",
  ]) {
    it(`is left to the loader of ${options}`, () => {
      assert.equal(findModuleProblem(entry, options), undefined);
    });
  }
});
