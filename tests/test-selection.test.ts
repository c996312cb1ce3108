import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { projectsOf } from "../scripts/test/checks.ts";
import { describeSelection } from "../scripts/test/describe-selection.ts";
import { needsOf } from "../scripts/test/needs.ts";
import { listProgramTests } from "../scripts/test/program-tests.ts";
import {
  listChanged,
  readSources,
  type Selection,
  selectByWords,
  selectForChanges,
} from "../scripts/test/selection.ts";
import { createTemporaryFolder } from "../src/lib/testing/temporary-folder.ts";
import { startProgram } from "./support/program.ts";

/** A repository with these files, committed. */
function createRepository(files: Record<string, string>): string {
  const root = createTemporaryFolder();
  for (const [path, text] of Object.entries(files)) write(root, path, text);
  git(root, "init", "--quiet");
  commit(root);
  return root;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function commit(root: string): void {
  git(root, "add", "--all");
  git(root, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "-m", "Change");
}

function git(root: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: root });
}

const files = {
  "src/lib/ids.ts": "export const id = 1;",
  "src/lib/ids.test.ts": 'import { id } from "./ids.ts";',
  "src/lib/names.ts": 'import { id } from "./ids.ts";',
  "src/lib/names.test.ts": 'import { id } from "./names.ts";',
  "src/lib/types.test.ts": 'import type { id } from "./ids.ts";',
  "src/lib/worker.test.ts": 'new Worker(new URL("./ids.ts", import.meta.url));',
  "src/features/cron/cron.ts": 'import { id } from "../../lib/ids.ts";',
  "src/features/cron/cron.test.ts": 'const cron = await import("./cron.ts");',
  "tests/cron-api.test.ts": 'import "../src/features/cron/cron.ts";',
  "tests/cron-queue.test.ts": "start();",
  "tests/lifecycle.test.ts": 'import "../src/features/cron/cron.ts"; import "./support/program.ts";',
  "tests/support/program.ts": "export const start = 1;",
  "tests/attach/process.test.ts": 'start(new URL("hosts/koa.ts", here));',
  "tests/attach/hosts/koa.ts": "listen();",
  "tests/attach/hosts/hono.ts": "listen();",
  "tests/start.test.ts": 'start("examples/shop/main.ts");',
  "examples/shop/main.ts": "listen();",
  "docs/cron.md": "# Cron",
};

function select(...changed: string[]): Selection {
  return selectForChanges(readSources(createRepository(files)), changed);
}

describe("the tests of a change", () => {
  it("are unit tests that import the file, also through others, for more than its types", () => {
    assert.deepEqual(select("src/lib/ids.ts").tests, [
      "src/features/cron/cron.test.ts",
      "src/lib/ids.test.ts",
      "src/lib/names.test.ts",
      "src/lib/worker.test.ts",
    ]);
    assert.deepEqual(select("src/lib/names.ts").tests, ["src/lib/names.test.ts"]);
  });

  it("are tests of whole programs that the table lists, whatever they import; the others are left", () => {
    const { tests, left } = select("src/features/cron/cron.ts");
    assert.deepEqual(tests, [
      "src/features/cron/cron.test.ts",
      "tests/cron-api.test.ts",
      "tests/cron-queue.test.ts",
    ]);
    assert.deepEqual(left, ["tests/lifecycle.test.ts"]);
  });

  it("are a changed test itself, and tests that import or name a changed file of the tests", () => {
    assert.deepEqual(select("tests/lifecycle.test.ts").tests, ["tests/lifecycle.test.ts"]);
    assert.deepEqual(select("tests/support/program.ts").tests, ["tests/lifecycle.test.ts"]);
    assert.deepEqual(select("examples/shop/main.ts").tests, ["tests/start.test.ts"]);
    assert.deepEqual(select("tests/attach/hosts/koa.ts").tests, ["tests/attach/process.test.ts"]);
  });

  it("are those of the folder for a file of the tests that no other file imports or names", () => {
    assert.deepEqual(select("tests/attach/hosts/hono.ts").tests, ["tests/attach/process.test.ts"]);
  });

  it("are none for a file that no test depends on", () => {
    assert.deepEqual(select("docs/cron.md", "unknown.txt"), { tests: [], left: [] });
  });

  it("are the nearest, if there are many", () => {
    const others = Array.from({ length: 30 }, (_, at) => [`src/lib/a${at}.test.ts`, 'import "./names.ts";']);
    const root = createRepository({ ...files, ...Object.fromEntries(others) });
    const { tests, left } = selectForChanges(readSources(root), ["src/lib/ids.ts"]);
    assert.equal(tests.length, 12);
    assert.ok(tests.includes("src/lib/ids.test.ts") && tests.includes("src/lib/worker.test.ts"));
    assert.equal(left.filter((test) => test.startsWith("src/")).length, 22);
  });
});

describe("the changed files", () => {
  it("are those that differ from HEAD, with new and deleted ones", () => {
    const root = createRepository(files);
    assert.deepEqual(listChanged(root), []);
    write(root, "src/lib/ids.ts", "export const id = 2;");
    write(root, "src/lib/new.ts", "");
    rmSync(join(root, "src/lib/names.ts"));
    git(root, "add", "src/lib/ids.ts");
    assert.deepEqual(listChanged(root), ["src/lib/ids.ts", "src/lib/names.ts", "src/lib/new.ts"]);
    const { tests } = selectForChanges(readSources(root), ["src/lib/names.ts"]);
    assert.deepEqual(tests, ["src/lib/names.test.ts"]);
  });

  it("are those of a range", () => {
    const root = createRepository(files);
    write(root, "src/lib/ids.ts", "export const id = 2;");
    commit(root);
    assert.deepEqual(listChanged(root), []);
    assert.deepEqual(listChanged(root, "HEAD~1"), ["src/lib/ids.ts"]);
    assert.deepEqual(listChanged(root, "HEAD~1..HEAD"), ["src/lib/ids.ts"]);
  });
});

describe("the tests by a word", () => {
  const sources = readSources(createRepository(files));
  const testsOf = (...words: string[]) => selectByWords(sources, words).tests;

  it("are those of a test file, a folder or a source", () => {
    assert.deepEqual(testsOf("src/lib/ids.test.ts"), ["src/lib/ids.test.ts"]);
    assert.deepEqual(testsOf("src/features/cron/"), ["src/features/cron/cron.test.ts"]);
    assert.deepEqual(testsOf("./src/lib/names.ts"), ["src/lib/names.test.ts"]);
    assert.deepEqual(testsOf("tests/attach/hosts"), ["tests/attach/process.test.ts"]);
  });

  it("are those of a feature, with its whole programs", () => {
    const cron = ["src/features/cron/cron.test.ts", "tests/cron-api.test.ts", "tests/cron-queue.test.ts"];
    assert.deepEqual(testsOf("cron"), cron);
    assert.deepEqual(testsOf("lifecycle", "cron"), [...cron, "tests/lifecycle.test.ts"]);
  });

  it("must exist", () => {
    assert.throws(() => testsOf("cron", "nothing"), /No test belongs to "nothing"/);
  });
});

describe("the types of a change", () => {
  it("are checked in the projects that it belongs to or may affect", () => {
    assert.deepEqual(projectsOf(["README.md"]), []);
    assert.deepEqual(projectsOf(["tests/cli.test.ts"]), ["."]);
    assert.deepEqual(projectsOf(["web/src/ui/icon.tsx"]), ["web"]);
    assert.deepEqual(projectsOf(["src/lib/ids.ts"]), [".", "examples/nest"]);
    assert.deepEqual(projectsOf(["src/lib/ids.test.ts"]), ["."]);
    assert.deepEqual(projectsOf(["src/features/cron/wire.ts"]), [".", "web", "examples/nest"]);
    assert.deepEqual(projectsOf(["examples/nest/main.ts"]), ["examples/nest"]);
  });
});

describe("the command", () => {
  const start = (t: TestContext, ...args: string[]) =>
    startProgram(t, [join(import.meta.dirname, "../scripts/test/main.ts"), "--only", ...args]);

  it("runs what was chosen", async (t) => {
    const program = start(t, "src/lib/defined.test.ts");
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    assert.match(program.stdout, /^Running 1 test files for 1 changed or named files\.\n/);
    assert.match(program.stdout, /fail 0/);
  });

  it("names the tests that it leaves to the full run, unless there are too many", () => {
    const describe = (left: string[]) => describeSelection({ tests: ["a.test.ts"], left }, ["a.ts"]);
    const first = "Running 1 test files for 1 changed or named files.";
    assert.equal(describe([]), first);
    const few = describe(["src/a.test.ts", "tests/cli.test.ts", "tests/attach/routes.test.ts"]);
    const rest = "cli, attach/routes, 1 files of unit tests";
    assert.equal(few, `${first}\nAffected too, but left to the full run: ${rest}.`);
    const many = Array.from({ length: 31 }, (_, at) => `tests/a${at}.test.ts`);
    assert.equal(
      describe(many),
      `${first}\nAffected too, but left to the full run: 31 tests of whole programs.`,
    );
  });

  it("fails for a word without tests", async (t) => {
    const program = start(t, "nothing-of-this-name");
    assert.deepEqual(await program.ended, [1, null]);
    assert.match(program.stderr, /No test belongs to "nothing-of-this-name"/);
  });

  it("refuses an unknown option", async (t) => {
    const program = start(t, "src/lib/thrown.test.ts", "--unknown");
    assert.deepEqual(await program.ended, [1, null]);
    assert.match(program.stderr, /Unknown option '--unknown'/);
  });
});

describe("this repository", () => {
  const root = join(import.meta.dirname, "..");
  const sources = readSources(root);
  const needs = (test: string) => needsOf(sources, [test]);

  it("has the files and tests of the table, and a line for each feature", () => {
    const lines = listProgramTests();
    const missing = lines.flatMap(({ tests }) => tests.filter((test) => !sources.files.includes(test)));
    assert.deepEqual(missing, []);
    const starts = lines.map(({ start }) => start);
    assert.deepEqual(
      starts.filter((start) => !sources.files.some((file) => file.startsWith(start))),
      [],
    );
    const features = globSync("src/features/*", { cwd: root }).map((folder) => `${folder}/`);
    assert.deepEqual(
      features.filter((feature) => !starts.includes(feature)),
      [],
    );
  });

  it("prepares only what the chosen tests use", () => {
    assert.deepEqual(needs("src/lib/ids.test.ts"), { web: false, bundles: false, postgres: false });
    assert.equal(needs("src/storage/database.test.ts").postgres, true);
    const page = needs("tests/dashboard-cron.test.ts");
    assert.ok(page.web && page.bundles);
  });

  it("checks its import graph with every change of a source", () => {
    for (const file of ["src/lib/ids.ts", "web/src/ui/icon.tsx"])
      assert.ok(selectForChanges(sources, [file]).tests.includes("tests/import-graph.test.ts"));
  });
});
