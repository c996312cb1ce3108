import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findNodeProblem } from "./node-version.ts";

test("a Node that is too old is named, with the version that is needed", () => {
  for (const version of ["18.20.8", "20.20.2", "22.17.1", "22.9.0"])
    assert.equal(
      findNodeProblem(version),
      `Annex requires Node 22.18 or newer, but this is Node ${version}.`,
    );
  for (const version of ["22.18.0", "22.23.3", "24.0.0", "100.0.0"])
    assert.equal(findNodeProblem(version), undefined);
});

test("package.json names the same version", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  assert.equal(engines.node, ">=22.18");
});
