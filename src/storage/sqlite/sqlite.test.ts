import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { type Database, openDatabase } from "../index.ts";
import { type NoteTables, notes } from "../testing/notes.ts";
import { startProcess } from "../testing/process.ts";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";

async function readPragma(database: Database, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(database.tables());
  return Object.values(rows[0]!)[0];
}

for (const [durability, synchronous] of [
  ["full", 2],
  ["normal", 1],
] as const) {
  test(`the connection is set up, durability ${durability}`, async (t) => {
    const database = await openDatabase({ dataDir: createTemporaryFolder(), durability });
    t.after(() => database.close());
    const expected = {
      journal_mode: "wal",
      synchronous,
      foreign_keys: 1,
      busy_timeout: 10_000,
      trusted_schema: 0,
      cache_size: -2_048,
      journal_size_limit: 67_108_864,
    };
    for (const [name, value] of Object.entries(expected))
      assert.equal(await readPragma(database, name), value, name);
  });
}

test("a folder that is made, and the files in it, are for their owner only", async (t) => {
  const dataDir = join(createTemporaryFolder(), "made", "on", "demand");
  const database = await openDatabase({ dataDir });
  t.after(() => database.close());
  await database.migrate([notes]);
  const mode = (...path: string[]) => statSync(join(dataDir, ...path)).mode & 0o777;
  assert.equal(mode(), 0o700);
  for (const file of ["annex.db", "annex.db-wal", "annex.db-shm"]) assert.equal(mode(file), 0o600, file);
});

test("committed data survives kill −9, and uncommitted data does not", async (t) => {
  const dataDir = createTemporaryFolder();
  const writer = startProcess(t, "insertForever", { dataDir });
  const confirmed: number[] = [];
  for (let line = await writer.readLine(); line !== undefined; line = await writer.readLine()) {
    confirmed.push(Number(line));
    if (confirmed.length === 100) writer.kill();
  }
  assert.equal(await writer.end, "SIGKILL");

  const database = await openDatabase({ dataDir });
  t.after(() => database.close());
  assert.equal(await readPragma(database, "integrity_check"), "ok");
  const rows = await database.tables<NoteTables>().selectFrom("notes").select("id").execute();
  const stored = new Set(rows.map(({ id }) => id));
  for (const id of confirmed) assert.ok(stored.has(id) && stored.has(-id), `${id} was confirmed and is lost`);
  const unconfirmed = rows.length - 1 - confirmed.length * 2;
  assert.ok(unconfirmed === 0 || unconfirmed === 2, "at most one whole transaction more than was confirmed");
});

test("a transaction that the engine has rolled back fails with the original error", async (t) => {
  const database = await openDatabase({ dataDir: createTemporaryFolder() });
  t.after(() => database.close());
  const work = database.transaction(async (trx) => {
    // Like SQLite when the disk is full.
    await sql`rollback`.execute(trx);
    throw new Error("database or disk is full");
  });
  await assert.rejects(work, /disk is full/);
});

test("three processes that read and then write wait for each other", async (t) => {
  const dataDir = createTemporaryFolder();
  const database = await openDatabase({ dataDir });
  t.after(() => database.close());
  await database.migrate([notes]);
  const processes = Array.from({ length: 3 }, () => startProcess(t, "countTo100", { dataDir }));
  await Promise.all(processes.map((process) => process.readLine()));
  for (const process of processes) process.writeLine();
  assert.deepEqual(await Promise.all(processes.map(({ end }) => end)), [0, 0, 0]);
  const read = await database.tables<NoteTables>().selectFrom("notes").select("count").execute();
  assert.deepEqual(read, [{ count: 300 }]);
});

test("a start with nothing to migrate does not wait for a writer", async (t) => {
  const dataDir = createTemporaryFolder();
  const database = await openDatabase({ dataDir });
  t.after(() => database.close());
  await database.migrate([notes]);
  const writer = new BetterSqlite3(join(dataDir, "annex.db"));
  t.after(() => writer.close());
  writer.exec("begin immediate");
  const second = await openDatabase({ dataDir });
  t.after(() => second.close());
  await second.migrate([notes]);
});

for (const [what, content] of [
  ["text", "This is not a database, though it is long enough to have a header.".repeat(100)],
  ["a header and then nothing right", `SQLite format 3\0${"x".repeat(8192)}`],
]) {
  test(`a file that holds ${what} is refused and left alone`, async () => {
    const dataDir = createTemporaryFolder();
    const file = join(dataDir, "annex.db");
    writeFileSync(file, content!);
    await assert.rejects(openDatabase({ dataDir }), {
      code: "DATABASE_UNUSABLE",
      message: new RegExp(`${file} is damaged`),
    });
    assert.equal(statSync(file).size, content!.length);
  });
}

test("a folder that cannot be used is named, with the reason", async () => {
  const file = join(createTemporaryFolder(), "file");
  writeFileSync(file, "");
  for (const dataDir of [file, join(file, "x"), "/dev/null/x/y"]) {
    const message = `The data folder ${dataDir} cannot be used: the path, or a part of it, is a file. Choose a folder that this user can write to.`;
    await assert.rejects(openDatabase({ dataDir }), { code: "DATA_DIR_UNUSABLE", message });
  }
});

test("a folder that cannot be created is rejected, too", async () => {
  const dataDir = existsSync("/proc/self") ? "/proc/annex" : "/dev/annex/x";
  await assert.rejects(openDatabase({ dataDir }), { code: "DATA_DIR_UNUSABLE" });
});
