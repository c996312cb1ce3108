import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../lib/testing/temporary-folder.ts";
import { findModuleProblem } from "./syntax-check.ts";

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
