/**
 * Runs test files.
 *
 * Nothing runs without a deadline. A test fails after 10 minutes, a file after 20, and the whole run after 75; the
 * last one prints the tests that were still running. A run takes less than ten minutes on idle processors; a virtual
 * machine can be several times slower for a while. `--test-timeout` alone is not enough: it fails a test, but a file
 * whose process stays alive afterwards would never end.
 */
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { writeBatches } from "../../tests/support/batches.ts";
import { globalSetup, globalTeardown, type Needs } from "../../tests/support/global-setup.ts";
import { endOnSignals } from "./processes.ts";

const root = join(import.meta.dirname, "../..");
const testMs = 10 * 60_000;
const runMs = 75 * 60_000;

// Stripping types and compiling is more than half of what a process costs to start, and the tests start hundreds.
const cache = join(root, "node_modules/.cache/annex-tests");

/** Runs everything, or the given files with the setup that they need. Sets the exit code. */
export async function runTests(given?: { files: readonly string[]; needs: Needs }): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= cache;
  endOnSignals(globalTeardown);
  const execArgv = await globalSetup(given?.needs);
  const ended = new AbortController();
  const running = new Map<string, Set<string>>();
  const began = new Map<string, number>();
  const seconds = new Map<string, number>();
  const stream = run({
    files: given === undefined ? listFiles() : batchFew(given.files),
    cwd: root,
    // Files wait for a browser, a database or a process about half of the time, and leave a processor idle meanwhile.
    concurrency: Math.min(2 * availableParallelism() + 1, 12),
    execArgv: [`--test-timeout=${testMs}`, ...execArgv],
    signal: ended.signal,
  });
  stream.on("test:dequeue", ({ file = "", name }) => {
    if (!began.has(file)) began.set(file, performance.now());
    running.set(file, (running.get(file) ?? new Set()).add(name));
  });
  stream.on("test:complete", ({ file = "", name }) => {
    running.get(file)?.delete(name);
    seconds.set(file, (performance.now() - began.get(file)!) / 1_000);
  });
  stream.on("test:fail", () => {
    process.exitCode = 1;
  });
  stream.compose(new spec()).pipe(process.stdout);

  const deadline = setTimeout(() => {
    console.error(
      `The tests ran longer than ${runMs / 60_000} minutes. Still running:\n${listRunning(running)}`,
    );
    process.exitCode = 1;
    ended.abort();
  }, runMs);
  stream.once("end", () => {
    clearTimeout(deadline);
    void globalTeardown();
  });

  process.once("exit", () => console.log(`Slowest files, in seconds:\n${listSlowest(seconds)}`));
}

/** The files under `tests` first: they take longest, and a long one that starts last would run alone. */
function listFiles(): string[] {
  const list = (...folders: string[]) =>
    folders
      .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }).sort())
      .filter((file) => !file.includes("node_modules"))
      .map((file) => resolve(root, file));
  return [...list("tests", "examples"), ...writeBatches(list("src", "web"), join(cache, "batches"))];
}

/** A few files run as they are, so that an editor finds them by the output. */
function batchFew(files: readonly string[]): string[] {
  const isUnitTest = (file: string) => /^(src|web)\//.test(file);
  const paths = (chosen: readonly string[]) => chosen.map((file) => resolve(root, file));
  const unitTests = files.filter(isUnitTest);
  if (unitTests.length <= 5) return paths(files);
  const others = files.filter((file) => !isUnitTest(file));
  return [...paths(others), ...writeBatches(paths(unitTests), join(cache, "batches-of-few"))];
}

function listRunning(running: ReadonlyMap<string, ReadonlySet<string>>): string {
  const lines = [...running].filter(([, names]) => names.size > 0);
  return lines.map(([file, names]) => `  ${relative(root, file)}: ${[...names].at(-1)}`).join("\n");
}

function listSlowest(seconds: ReadonlyMap<string, number>): string {
  const slowest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, 10);
  return slowest.map(([file, took]) => `  ${took.toFixed(0).padStart(4)} ${relative(root, file)}`).join("\n");
}
