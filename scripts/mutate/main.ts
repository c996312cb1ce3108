/**
 * Plants faults in copies of the sources, one at a time, and runs the nearest tests: `npm run mutate`. A test that does
 * not fail with any fault may be worthless, and a fault that no test notices needs one.
 *
 *     npm run mutate                    all of them; fails if the tests notice less than 95 %
 *     npm run mutate -- cron "a retry"  those whose folder or description contains one of these words
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../tests/support/postgres.ts";
import { needsOf } from "../test/needs.ts";
import { readSources, type Sources } from "../test/selection.ts";
import { type Copy, createCopy } from "./copy.ts";
import { locate, type Mutant } from "./mutant.ts";
import { mutants } from "./mutants/index.ts";

const root = join(import.meta.dirname, "../..");
const deadlineMs = 10 * 60_000;
/** A fault can make a test wait for minutes, so it has a few times as long as without one. */
const patience = 4;
const leastMs = 60_000;
const usualMs = new Map<string, number>();
const leastCaught = 0.95;

const words = process.argv.slice(2);
const chosen = mutants.filter(
  ({ folder, fault }) => words.length === 0 || words.some((word) => `${folder} ${fault}`.includes(word)),
);
const sources = readSources(root);
const places = new Map(chosen.map((mutant) => [mutant, locate(root, sources.files, mutant)]));
const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
const copies = Array.from({ length: availableParallelism() }, () => createCopy(root, sources.files));
process.once("SIGINT", () => process.exit(130));
const postgres = await startShared(sources, tests);
try {
  await checkTests();
  await runMutants();
} finally {
  await postgres?.stop();
}

/** Without a fault, all tests must pass: otherwise a failure proves nothing. */
async function checkTests(): Promise<void> {
  console.log(`Running ${tests.length} test files without a fault.`);
  const failing: string[] = [];
  await share(tests, async (copy, test) => {
    const began = performance.now();
    if ((await copy.run(test, deadlineMs)) !== "passed") failing.push(test);
    usualMs.set(test, performance.now() - began);
  });
  if (failing.length > 0) throw new Error(`These tests fail without a fault: ${failing.join(", ")}`);
}

async function runMutants(): Promise<void> {
  const survivors: Mutant[] = [];
  await share(chosen, async (copy, mutant) => {
    const catcher = await findCatcher(copy, mutant);
    if (catcher === undefined) survivors.push(mutant);
    console.log(
      `${catcher ? "caught  " : "SURVIVED"} ${mutant.folder}: ${mutant.fault}${catcher ? ` (${catcher})` : ""}`,
    );
  });
  const caught = chosen.length - survivors.length;
  console.log(`${caught} of ${chosen.length} faults were noticed.`);
  for (const { folder, fault, text, tests } of survivors)
    console.log(`Survived: ${folder}: ${fault}\n  ${text}\n  ${tests.join(", ")}`);
  if (caught < leastCaught * chosen.length) process.exitCode = 1;
}

/** Returns the first test that notices the fault. */
async function findCatcher(copy: Copy, mutant: Mutant): Promise<string | undefined> {
  const { file, source, mutated } = places.get(mutant)!;
  copy.write(file, mutated);
  try {
    for (const test of mutant.tests) {
      const result = await copy.run(test, Math.max(leastMs, patience * usualMs.get(test)!));
      if (result !== "passed") return result === "failed" ? test : `${test}, by its deadline`;
    }
    return undefined;
  } finally {
    copy.write(file, source);
  }
}

/** Each copy takes the next item as soon as it is free. */
async function share<T>(items: readonly T[], work: (copy: Copy, item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(copy, item);
    }),
  );
}

/** One database server for all tests, if they need one. */
async function startShared(all: Sources, files: readonly string[]) {
  if (process.env.ANNEX_TEST_POSTGRES || !needsOf(all, files).postgres) return undefined;
  const server = await startPostgres();
  process.env.ANNEX_TEST_POSTGRES = server.url;
  return server;
}
