/** The process of each test file imports this first. Its threads do not: each of them would take longer to start. */
import hooks from "node:async_hooks";
import { appendFileSync, readFileSync } from "node:fs";

const minutes = 20;

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(", ");
  console.error(`${process.argv[1]} ran longer than ${minutes} minutes. Open: ${open}`);
  process.exit(1);
}, minutes * 60_000).unref();

const cpuFile = process.env.ANNEX_TEST_CPU;
if (cpuFile) {
  // What a test starts is no test file.
  delete process.env.ANNEX_TEST_CPU;
  process.once("exit", () => appendFileSync(cpuFile, `${readCpuSeconds().toFixed(2)}\t${process.argv[1]}\n`));
}

/** The CPU time of this process, its threads, and the programs that it started and that have ended. Linux only. */
function readCpuSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / 100;
}

// The test runner of Node tracks every promise, to find the test that an uncaught error belongs to. That takes a
// few percent of the time of a file. Without it, such an error fails the file instead of the test. `node --test` names
// the test.
const { createHook } = hooks;
const inactive: ReturnType<typeof createHook> = { enable: () => inactive, disable: () => inactive };
hooks.createHook = () => inactive;
await import("node:test");
hooks.createHook = createHook;
