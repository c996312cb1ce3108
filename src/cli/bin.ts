#!/usr/bin/env node
import { findNodeProblem, readVersions } from "../lib/node/node-version.ts";
import { enableCompileCache } from "./compile-cache.ts";

const problem = findNodeProblem(readVersions());
if (problem === undefined) {
  enableCompileCache();
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`annex: ${problem}\n`);
  process.exitCode = 1;
}
