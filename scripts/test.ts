/**
 * Runs the tests, as many files at once as there are processors, and three at least: many of them wait for a browser, a
 * database or a process, and would leave two processors idle for a third of the time. What is given is handed on, such
 * as one file.
 */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

const given = process.argv.slice(2);
const files = ["src", "tests", "examples", "web"].map((folder) => `${folder}/**/*.test.ts`);
const { status } = spawnSync(
  process.execPath,
  [
    "--test",
    `--test-concurrency=${Math.max(3, availableParallelism() - 1)}`,
    "--test-global-setup=tests/support/global-setup.ts",
    ...(given.length > 0 ? given : files),
  ],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
