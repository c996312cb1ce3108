/**
 * Checks format, lint and types, and runs the tests: `npm test`. With arguments, only what they choose:
 *
 *     npm test -- --changed                 the tests of the files that differ from HEAD
 *     npm test -- --changed=main            the tests of the files that differ from a revision, or within A..B
 *     npm test -- src/features/cron         a folder, a test file, or a source file for its tests
 *     npm test -- cron                      a feature, a page, or a word in the name of a test
 *     npm test -- --watch                   again after each saved file; with or without a choice
 *
 * `--only` leaves out format, lint and types: `npm run test:only`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/lib/thrown.ts";
import { check, checkEverything } from "./checks.ts";
import { describeSelection } from "./describe-selection.ts";
import { needsOf } from "./needs.ts";
import { runTests } from "./run.ts";
import {
  listChanged,
  readSources,
  type Selection,
  type Sources,
  selectByWords,
  selectForChanges,
} from "./selection.ts";
import { watchAndRun } from "./watch.ts";

const root = join(import.meta.dirname, "../..");

interface Choice extends Selection {
  /** Files whose format and types are checked. */
  readonly files: readonly string[];
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function main(args: readonly string[]): Promise<void> {
  // "--changed" alone is HEAD: parseArgs has no options whose value may be missing.
  const { values, positionals } = parseArgs({
    args: args.map((arg) => (arg === "--changed" ? "--changed=HEAD" : arg)),
    options: { changed: { type: "string" }, watch: { type: "boolean" }, only: { type: "boolean" } },
    allowPositionals: true,
  });
  const namesTests = positionals.length > 0 || values.changed !== undefined;
  if (values.watch) {
    const others = args.filter((arg) => arg !== "--watch");
    await watchAndRun(others, namesTests);
  } else if (namesTests) await runQuickly(values.changed, positionals, values.only === true);
  else if (values.only || checkEverything()) await runTests();
  else process.exitCode = 1;
}

async function runQuickly(changed: string | undefined, words: readonly string[], isOnly: boolean) {
  const sources = readSources(root);
  const { files, tests, left } = choose(sources, changed, words);
  console.log(describeSelection({ tests, left }, files));
  if (!isOnly && !check(files)) process.exitCode = 1;
  else if (tests.length > 0) await runTests({ files: tests, needs: needsOf(sources, tests) });
}

function choose(sources: Sources, revision: string | undefined, words: readonly string[]): Choice {
  const changed = revision === undefined ? [] : listChanged(root, revision);
  const one = selectForChanges(sources, changed);
  const other = selectByWords(sources, words);
  const tests = [...new Set([...one.tests, ...other.tests])];
  const left = new Set([...one.left, ...other.left]).difference(new Set(tests));
  const named = words.filter((word) => sources.files.includes(word));
  return {
    files: [...changed, ...named].filter((file) => existsSync(join(root, file))),
    tests,
    left: [...left],
  };
}
