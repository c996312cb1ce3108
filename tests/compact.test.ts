import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { it, type TestContext } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { lockDataDir, openDatabase } from "../src/storage/index.ts";
import { startProcess } from "../src/storage/testing/process.ts";
import { createFolder, startProgram } from "./support/program.ts";
import { mountSmallDisk } from "./support/small-disk.ts";

const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");
const megabyte = 1_000_000;

const compact = (t: TestContext, dataDir: string, ...args: string[]) =>
  startProgram(t, [bin, "compact", "--data-dir", dataDir, ...args]);

async function run(t: TestContext, dataDir: string, ...args: string[]) {
  const program = compact(t, dataDir, ...args);
  const [code] = await program.ended;
  return { code, out: program.stdout, err: program.stderr };
}

/** A file as earlier versions created it: with many free pages that it cannot return. */
function createOld(dataDir: string, file: string, { rows = 2_000, kept = 200 } = {}): void {
  const database = new BetterSqlite3(join(dataDir, file));
  database.pragma("journal_mode = wal");
  database.exec("create table old (id integer primary key, body blob)");
  const insert = database.prepare("insert into old values (?, randomblob(10000))");
  database.transaction(() => {
    for (let id = 0; id < rows; id++) insert.run(id);
  })();
  database.exec(`delete from old where id >= ${kept}`);
  database.close();
}

function inspect(dataDir: string, file: string) {
  const database = new BetterSqlite3(join(dataDir, file));
  try {
    return {
      mode: database.pragma("auto_vacuum", { simple: true }),
      check: database.pragma("integrity_check", { simple: true }),
      rows: database.prepare("select count(*) from old").pluck().get(),
    };
  } finally {
    database.close();
  }
}

it("makes the files of an earlier version smaller, and shows the space it needs first", async (t) => {
  const dataDir = createFolder(t);
  for (const file of ["annex.db", "logs.db"]) createOld(dataDir, file);
  const plan = await run(t, dataDir, "--dry-run");
  assert.equal(plan.code, 0);
  assert.match(
    plan.out,
    /annex\.db has 20\.\d MB, of which 18\.\d MB are free; 4\.\d MB of free space are needed/,
  );
  assert.ok(statSync(join(dataDir, "annex.db")).size > 20 * megabyte);
  const done = await run(t, dataDir);
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /logs\.db: 20\.\d MB before, 2\.\d MB now/);
  for (const file of ["annex.db", "logs.db"]) {
    assert.ok(statSync(join(dataDir, file)).size < 3 * megabyte, file);
    assert.deepEqual(inspect(dataDir, file), { mode: 2, check: "ok", rows: 200 });
  }
  const again = await run(t, dataDir);
  assert.match(again.out, /annex\.db has 2\.\d MB.*no free space is needed/);
});

it("runs while another process writes, and loses none of its rows", async (t) => {
  const dataDir = createFolder(t);
  createOld(dataDir, "annex.db");
  const writer = startProcess(t, "insertForever", { dataDir });
  const confirmed: number[] = [];
  const compacting = run(t, dataDir);
  let isOver = false;
  void compacting.then(() => {
    isOver = true;
  });
  // Some after the file has changed, because the writer must notice that.
  for (let rest = 50; rest > 0; ) {
    confirmed.push(Number(await writer.readLine()));
    if (isOver) rest--;
  }
  writer.kill();
  await writer.end;
  assert.equal((await compacting).code, 0);
  assert.deepEqual(inspect(dataDir, "annex.db"), { mode: 2, check: "ok", rows: 200 });
  const database = new BetterSqlite3(join(dataDir, "annex.db"));
  t.after(() => database.close());
  const stored = new Set(database.prepare("select id from notes").pluck().all());
  assert.deepEqual(
    confirmed.filter((id) => !stored.has(id) || !stored.has(-id)),
    [],
  );
});

it("refuses to block a running server for long, and a disk without space", async (t) => {
  const dataDir = createFolder(t);
  createOld(dataDir, "annex.db", { rows: 7_500, kept: 7_000 });
  const lock = lockDataDir(dataDir);
  const beside = await run(t, dataDir);
  assert.equal(beside.code, 75);
  assert.match(beside.err, /7\d\.\d MB of data would block the requests of the running server/);
  lock.release();
  const small = mountSmallDisk(t, "40m");
  if (!small) return t.skip("only root can mount a disk");
  createOld(small, "annex.db", { rows: 1_600, kept: 1_500 });
  const full = await run(t, small);
  assert.equal(full.code, 73);
  assert.match(full.err, /the disk has \d+\.\d MB free, but 3\d\.\d MB are needed/);
  assert.deepEqual(inspect(small, "annex.db"), { mode: 0, check: "ok", rows: 1_500 });
});

it("loses nothing if it is killed at any moment", { timeout: 300_000 }, async (t) => {
  const dataDir = createFolder(t);
  createOld(dataDir, "annex.db", { rows: 3_000, kept: 2_500 });
  const path = join(dataDir, "annex.db");
  // The write-ahead log grows while the data is copied, so its size says how far the command is.
  for (const share of [0, 0.2, 0.5, 0.9]) {
    const program = compact(t, dataDir);
    const isAt = () =>
      (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? -1) >= share * 25 * megabyte;
    const ended = program.ended.then(() => true);
    while (!isAt())
      if (await Promise.race([ended, new Promise<false>((done) => setImmediate(done, false))])) break;
    program.child.kill("SIGKILL");
    await program.ended;
    const { check, rows } = inspect(dataDir, "annex.db");
    assert.deepEqual({ check, rows }, { check: "ok", rows: 2_500 });
  }
  const done = await run(t, dataDir);
  assert.equal(done.code, 0, done.err);
  assert.deepEqual(inspect(dataDir, "annex.db"), { mode: 2, check: "ok", rows: 2_500 });
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => !/^annex\.(db|lock)/.test(name)),
    [],
  );
});

it("leaves a new file to the server, which returns its pages by itself", async (t) => {
  const dataDir = createFolder(t);
  const database = await openDatabase({ dataDir });
  await database.close();
  const { out } = await run(t, dataDir, "--dry-run");
  assert.match(out, /no free space is needed/);
  const nothing = await run(t, createFolder(t));
  assert.equal(nothing.code, 66);
  assert.match(nothing.err, /has no data/);
});
