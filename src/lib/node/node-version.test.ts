import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findNodeProblem } from "./node-version.ts";

test("a Node that is too old is named, with the version that is needed", () => {
  for (const version of ["18.20.8", "20.20.2", "22.17.1", "22.9.0"])
    assert.equal(
      findNodeProblem({ node: version }),
      `Annex requires Node 22.18 or newer, but this is Node ${version}.`,
    );
  for (const version of ["22.18.0", "22.23.3", "24.0.0", "100.0.0"])
    assert.equal(findNodeProblem({ node: version }), undefined);
});

test("other programs that run JavaScript are named", () => {
  assert.equal(
    findNodeProblem({ node: "24.3.0", bun: "1.3.2" }),
    "Annex requires Node 22.18 or newer. It does not run in Bun 1.3.2: start the application with node.",
  );
  assert.equal(
    findNodeProblem({ node: "24.2.0", deno: "2.5.6" }),
    "Annex requires Node 22.18 or newer. It does not run in Deno 2.5.6: start the application with node.",
  );
});

for (const [name, code] of [
  ["Bun", 'Object.defineProperty(process, "versions", { value: { ...process.versions, bun: "1.3.2" } });'],
  ["Deno", 'globalThis.Deno = { version: { deno: "2.5.6" } };'],
] as const) {
  test(`importing Annex fails with a sentence in ${name}`, () => {
    const module = new URL("require-node.ts", import.meta.url).href;
    const source = `${code} await import(${JSON.stringify(module)});`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
      encoding: "utf8",
    });
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`It does not run in ${name} \\d`));
  });
}

test("package.json names the same version", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  assert.equal(engines.node, ">=22.18");
});
