#!/usr/bin/env node
import { findNodeProblem, readVersions } from "../lib/node/node-version.ts";

const problem = findNodeProblem(readVersions());
if (problem === undefined) {
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`annex: ${problem}\n`);
  process.exitCode = 1;
}
