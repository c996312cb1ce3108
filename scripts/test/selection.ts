/**
 * Chooses the tests for a change. A test is affected if it imports a changed file, also through others, or names it.
 *
 * - Unit tests are chosen by their distance: first those that import the changed file themselves.
 * - Tests of whole programs are chosen by the table in `program-tests.ts`, or because a file of the tests changed that
 *   they import or name.
 *
 * Almost everything imports some files, so there is a limit for each changed file. The affected tests that are not
 * chosen are returned too.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { importsOf } from "./imports.ts";
import { programTestsFor } from "./program-tests.ts";

export interface Selection {
  readonly tests: readonly string[];
  /** Affected, but left to the full run. */
  readonly left: readonly string[];
}

/** The files of a repository, and who imports or names them. Paths are relative to its root. */
export interface Sources {
  readonly root: string;
  readonly files: readonly string[];
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

const mostUnitTests = 12;
const mostProgramTests = 6;

export function readSources(root: string): Sources {
  const listed = git(root, "ls-files", "--cached", "--others", "--exclude-standard");
  const files = listed.filter((file) => existsSync(join(root, file)));
  const read = files.filter((file) => /\.tsx?$/.test(file) && !isFixture(file));
  return {
    root,
    files,
    imports: new Map(
      read.map((file) => [file, [...importsOf(root, file, { withTypes: false }), ...namedBy(root, file)]]),
    ),
  };
}

/** Input of tests: the analysis reads it, and no module imports it. */
function isFixture(file: string): boolean {
  return /^tests\/(golden|types\/programs)\//.test(file);
}

/** The files that a test or its helper names, such as a program that it starts. */
function namedBy(root: string, file: string): string[] {
  if (!isOfTests(file)) return [];
  const text = readFileSync(join(root, file), "utf8");
  const paths = Array.from(
    text.matchAll(/["'`](\.{0,2}[\w@./-]*\/[\w@./-]+\.\w+)["'`]/g),
    ([, path]) => path!,
  );
  return paths
    .flatMap((path) => [resolve(root, dirname(file), path), resolve(root, path)])
    .filter((path) => path.startsWith(`${root}/`) && statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => relative(root, path));
}

export function isTest(file: string): boolean {
  return /\.test\.ts$/.test(file);
}

/** A test of a whole program, as opposed to one beside its source. */
export function isProgramTest(file: string): boolean {
  return isTest(file) && isOfTests(file);
}

function isOfTests(file: string): boolean {
  return /^(tests|examples)\//.test(file);
}

/** The files that differ from a revision, with those that Git does not know yet. */
export function listChanged(root: string, revision = "HEAD"): string[] {
  const changed = git(root, "diff", "--name-only", "--relative", revision);
  return [...changed, ...git(root, "ls-files", "--others", "--exclude-standard")];
}

function git(root: string, ...args: string[]): string[] {
  const output = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return output.split("\n").filter((line) => line !== "");
}

export function selectForChanges(sources: Sources, changed: readonly string[]): Selection {
  const importers = invert(sources.imports);
  const tests = new Set<string>();
  const affected = new Set<string>();
  for (const file of changed) {
    const byImports = [...importersByDistance(importers, file)].filter(isTest);
    const near = byImports.length > 0 ? byImports : testsOfFolder(sources, file);
    for (const test of near) affected.add(test);
    for (const test of chooseFor(file, near)) if (existsSync(join(sources.root, test))) tests.add(test);
  }
  return { tests: [...tests].sort(), left: [...affected].filter((test) => !tests.has(test)).sort() };
}

/**
 * A file of the tests that no other file imports or names, such as a program for another framework, affects the tests
 * of its folder.
 */
function testsOfFolder({ files }: Sources, file: string): string[] {
  for (let folder = dirname(file); /^(tests|examples)\/./.test(folder); folder = dirname(folder)) {
    const tests = files.filter((other) => other.startsWith(`${folder}/`) && isTest(other));
    if (tests.length > 0) return tests;
  }
  return [];
}

/** `near`: the tests that are affected, the nearest first. */
function chooseFor(file: string, near: readonly string[]): string[] {
  const unitTests = near.filter((test) => !isProgramTest(test)).slice(0, mostUnitTests);
  const programTests = isOfTests(file) ? near.filter(isProgramTest).slice(0, mostProgramTests) : [];
  return [...unitTests, ...programTests, ...programTestsFor(file)];
}

/** The file itself and everything that imports it, the nearest first. */
function importersByDistance(importers: ReadonlyMap<string, readonly string[]>, file: string): Set<string> {
  const found = new Set([file]);
  // A set yields what is added during the loop, so this visits the nearest first.
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
  return found;
}

function invert(imports: Sources["imports"]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [file]);
      else known.push(file);
    }
  }
  return importers;
}

/** `words`: test files, folders, sources, or names, such as "cron". Fails for a word without tests. */
export function selectByWords(sources: Sources, words: readonly string[]): Selection {
  const selections = words.map((word) => selectByWord(sources, word));
  const tests = new Set(selections.flatMap((selection) => selection.tests));
  const left = new Set(selections.flatMap((selection) => selection.left));
  return { tests: [...tests].sort(), left: [...left].filter((test) => !tests.has(test)).sort() };
}

function selectByWord(sources: Sources, word: string): Selection {
  const path = relative(sources.root, resolve(sources.root, word));
  if (isTest(path) && sources.files.includes(path)) return { tests: [path], left: [] };
  if (sources.files.includes(path)) return selectForChanges(sources, [path]);
  const inFolder = sources.files.filter((file) => file.startsWith(`${path}/`));
  if (inFolder.length > 0 && !inFolder.some(isTest)) return selectForChanges(sources, inFolder);
  const tests = inFolder.length > 0 ? inFolder.filter(isTest) : selectByName(sources, word);
  if (tests.length === 0)
    throw new Error(`No test belongs to "${word}". Name a file, a folder or a feature.`);
  return { tests, left: [] };
}

/** The tests with this word in their path, and those of whole programs for the folder of that feature or page. */
function selectByName({ files }: Sources, name: string): string[] {
  const isNamed = (file: string) => `-${file.replaceAll(/[/.]/g, "-")}-`.includes(`-${name}-`);
  const folders = [`src/${name}/`, `src/features/${name}/`, `web/src/pages/${name}/`];
  const ofFolders = folders
    .filter((folder) => files.some((file) => file.startsWith(folder)))
    .flatMap(programTestsFor)
    .filter((test) => files.includes(test));
  return [...new Set([...files.filter((file) => isTest(file) && isNamed(file)), ...ofFolders])];
}
