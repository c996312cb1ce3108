import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { FakeClock } from "../lib/testing/fake-clock.ts";
import { mostSetAside } from "./disposable.ts";
import { type DatabaseOptions, markDamaged, openDatabase, openDisposable } from "./index.ts";
import { type NoteTables, notes } from "./testing/notes.ts";
import { createTemporaryFolder } from "./testing/temporary-folder.ts";

const start = Date.parse("2026-11-15T12:00:00.400Z");
const damage = "This is not a database. ".repeat(500);

function createOptions(): DatabaseOptions & { path: string } {
  const dataDir = createTemporaryFolder();
  return { dataDir, file: "logs.db", path: join(dataDir, "logs.db") };
}

async function open(t: TestContext, options: DatabaseOptions, clock = new FakeClock(start)) {
  const opened = await openDisposable(options, [notes], { clock });
  t.after(() => opened.database.close());
  return opened;
}

describe("a database that the application can do without", () => {
  it("is moved aside and replaced when it is damaged", async (t) => {
    const options = createOptions();
    writeFileSync(options.path, damage);
    const { database, setAside } = await open(t, options);
    assert.equal(setAside, `${options.path}.damaged-2026-11-15T12-00-00-400Z`);
    assert.equal(readFileSync(setAside, "utf8"), damage);
    const { length } = await database.tables<NoteTables>().selectFrom("notes").selectAll().execute();
    assert.equal(length, 1);
  });

  it("is moved aside together with its write-ahead log", async (t) => {
    const options = createOptions();
    for (const suffix of ["", "-wal", "-shm"]) writeFileSync(options.path + suffix, damage + suffix);
    // A marked file is moved aside without being opened.
    markDamaged(options);
    const { setAside } = await open(t, options);
    for (const suffix of ["", "-wal", "-shm"])
      assert.equal(readFileSync(setAside + suffix, "utf8"), damage + suffix);
  });

  it("is moved aside when a folder is in its place, and when it was marked while it was open", async (t) => {
    const options = createOptions();
    mkdirSync(options.path);
    const clock = new FakeClock(start);
    const { database, setAside } = await open(t, options, clock);
    assert.ok(existsSync(setAside!));
    markDamaged(options);
    await database.close();
    clock.advance(1_000);
    const second = await open(t, options, clock);
    assert.match(second.setAside!, /12-00-01-400Z$/);
    await second.database.close();
    assert.equal((await open(t, options, clock)).setAside, undefined);
  });

  it("is not moved if it is intact or was written by a newer release", async (t) => {
    const options = createOptions();
    const { database } = await open(t, options);
    await database.close();
    assert.equal((await open(t, options)).setAside, undefined);
    const older = { feature: "notes", migrations: {} };
    await assert.rejects(openDisposable(options, [older]), { code: "DATABASE_NEWER" });
  });

  it("is rejected if there are too many damaged files, and none is deleted", async () => {
    const options = createOptions();
    const clock = new FakeClock(start);
    for (let i = 0; i < mostSetAside; i++) {
      writeFileSync(options.path, damage);
      const { database } = await openDisposable(options, [notes], { clock });
      await database.close();
      clock.advance(1_000);
    }
    writeFileSync(options.path, damage);
    const before = readdirSync(options.dataDir);
    const refusal = {
      code: "DATABASE_UNUSABLE",
      message: /logs\.db is damaged, and its folder already contains 3 damaged files/,
    };
    await assert.rejects(openDisposable(options, [notes], { clock }), refusal);
    assert.deepEqual(readdirSync(options.dataDir), before);
    assert.equal(readFileSync(options.path, "utf8"), damage);
    rmSync(join(options.dataDir, before.find((name) => name.includes(".damaged-"))!));
    const { database } = await openDisposable(options, [notes], { clock });
    await database.close();
  });

  it("is not moved aside by openDatabase", async () => {
    const options = createOptions();
    writeFileSync(options.path, damage);
    await assert.rejects(openDatabase(options), { code: "DATABASE_UNUSABLE" });
  });
});
