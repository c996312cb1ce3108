import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { settles } from "../../lib/testing/until.ts";
import { createBackup, lockDataDir, recoverRestore } from "../index.ts";
import { createMarked, databaseFiles, readMarks } from "../testing/marked-databases.ts";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";
import { readArchive } from "./archive.ts";

/** Processes that are killed before each of their changes of the file system, one after the other. */

const preload = new URL("../testing/kill-at.ts", import.meta.url).href;
const storage = new URL("../index.ts", import.meta.url).href;

const programs = {
  backup: `await storage.createBackup({ dataDir, target: path, files: ${JSON.stringify(databaseFiles)}, annexVersion: "1.0.0", force: true });`,
  restore: `using lock = storage.lockDataDir(dataDir);
    await storage.restoreBackup({ path, dataDir, lock, annexVersion: "1.0.0", migrations: [] });`,
  recover: "using lock = storage.lockDataDir(dataDir); storage.recoverRestore(dataDir);",
};

async function run(
  program: keyof typeof programs,
  dataDir: string,
  path: string,
  env: Record<string, string>,
): Promise<number | string> {
  const source = `import * as storage from ${JSON.stringify(storage)};
    const [dataDir, path] = ${JSON.stringify([dataDir, path])};
    ${programs[program]}`;
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--import", preload, "--input-type=module", "--eval", source], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...inherited, ...env },
  });
  const [code, signal] = await settles(`${program} ends`, once(child, "exit"));
  return code ?? signal;
}

async function countChanges(program: keyof typeof programs, dataDir: string, path: string): Promise<number> {
  const file = join(createTemporaryFolder(), "count");
  assert.equal(await run(program, dataDir, path, { COUNT_CHANGES: file }), 0);
  return Number(readFileSync(file, "utf8"));
}

async function killAt(
  program: keyof typeof programs,
  dataDir: string,
  path: string,
  change: number,
): Promise<void> {
  assert.equal(await run(program, dataDir, path, { KILL_AT: `${change}` }), "SIGKILL", `change ${change}`);
}

function copyFolder(folder: string): string {
  const copy = createTemporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** As the next start of the server does. */
function recover(dataDir: string): void {
  using _lock = lockDataDir(dataDir);
  recoverRestore(dataDir);
}

/** The new state, with the old one aside. */
function checkRestored(dataDir: string, message: string): void {
  assert.deepEqual(readMarks(dataDir), ["new", "new", "new"], message);
  const names = readdirSync(dataDir);
  const aside = names.filter((name) => name.startsWith("before-restore-"));
  assert.equal(aside.length, 1, message);
  assert.deepEqual(readMarks(join(dataDir, aside[0]!)), ["old", "old", "old"], message);
  assert.deepEqual(
    names.filter((name) => name.startsWith("restore-")),
    [],
    message,
  );
}

async function prepare(): Promise<{ dataDir: string; path: string }> {
  const source = createTemporaryFolder();
  createMarked(source, "new");
  const target = join(createTemporaryFolder(), "new.tar.gz");
  const { path } = await createBackup({
    dataDir: source,
    target,
    files: databaseFiles,
    annexVersion: "1.0.0",
  });
  const dataDir = createTemporaryFolder();
  createMarked(dataDir, "old");
  return { dataDir, path };
}

/** A copy of the folder in which a restore was killed right after its commit. The commit is found by bisection. */
async function findCommitted(dataDir: string, path: string, changes: number): Promise<string> {
  let [before, after] = [0, changes];
  let found: string | undefined;
  while (after - before > 1) {
    const change = Math.floor((before + after) / 2);
    const copy = copyFolder(dataDir);
    await killAt("restore", copy, path, change);
    const isCommitted = existsSync(join(copy, "restore-committed"));
    if (isCommitted) found = copy;
    if (isCommitted || readdirSync(copy).some((name) => name.startsWith("before-restore-"))) after = change;
    else before = change;
  }
  assert.ok(found, "no restore was killed after its commit");
  return found;
}

describe("a killed restore", () => {
  it("leaves the old state or the new one, at every point", async () => {
    const { dataDir, path } = await prepare();
    const changes = await countChanges("restore", copyFolder(dataDir), path);
    assert.ok(changes > 20, `${changes}`);
    const states: string[] = [];
    for (let change = 1; change <= changes; change++) {
      const copy = copyFolder(dataDir);
      await killAt("restore", copy, path, change);
      recover(copy);
      const marks = new Set(readMarks(copy));
      assert.equal(marks.size, 1, `change ${change}: ${[...marks]}`);
      states.push([...marks][0]!);
      if (marks.has("new")) checkRestored(copy, `change ${change}`);
      else
        assert.deepEqual(
          readdirSync(copy).filter((name) => /restore/.test(name)),
          [],
        );
    }
    // Once the new state is in use, it stays.
    assert.deepEqual(states, states.toSorted().reverse());
    assert.deepEqual(new Set(states), new Set(["old", "new"]));
  });

  it("is completed by a start that is killed as well, at every point", async () => {
    const { dataDir, path } = await prepare();
    const changes = await countChanges("restore", copyFolder(dataDir), path);
    const committed = await findCommitted(dataDir, path, changes);
    const steps = await countChanges("recover", copyFolder(committed), path);
    assert.ok(steps > 10, `${steps}`);
    for (let step = 1; step <= steps; step++) {
      const copy = copyFolder(committed);
      await killAt("recover", copy, path, step);
      recover(copy);
      checkRestored(copy, `step ${step}`);
    }
  });
});

describe("a killed backup", () => {
  it("leaves the old file or the new one, and the next backup removes the rest", async () => {
    const { dataDir, path: old } = await prepare();
    const { created } = await readArchive(old);
    const first = join(createTemporaryFolder(), "backup.tar.gz");
    const changes = await countChanges("backup", copyFolder(dataDir), first);
    assert.ok(changes > 12, `${changes}`);
    let replaced = 0;
    for (let change = 1; change <= changes; change++) {
      const copy = copyFolder(dataDir);
      const folder = createTemporaryFolder();
      const path = join(folder, "backup.tar.gz");
      cpSync(old, path);
      await killAt("backup", copy, path, change);
      if ((await readArchive(path)).created !== created) replaced++;
      assert.deepEqual(readMarks(copy), ["old", "old", "old"], `change ${change}`);
      await createBackup({
        dataDir: copy,
        target: join(folder, "next.tar.gz"),
        files: databaseFiles,
        annexVersion: "1.0.0",
      });
      assert.deepEqual(readdirSync(folder).sort(), ["backup.tar.gz", "next.tar.gz"], `change ${change}`);
      assert.ok(!existsSync(join(copy, "backup-in-progress")), `change ${change}`);
    }
    assert.ok(replaced > 0 && replaced < changes);
  });
});
