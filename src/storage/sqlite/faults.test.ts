import assert from "node:assert/strict";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext, test } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { fillDisk, mountSmallDisk } from "../../../tests/support/small-disk.ts";
import type { ApiError } from "../../lib/errors/errors.ts";
import { type Database, openDatabase, readinessMigrations } from "../index.ts";
import { damagePages } from "../testing/damage.ts";
import { type NoteTables, notes } from "../testing/notes.ts";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";

async function open(t: TestContext, dataDir = createTemporaryFolder()) {
  const database = await openDatabase({ dataDir });
  t.after(() => database.close());
  await database.migrate([notes, readinessMigrations]);
  return { database, dataDir, path: join(dataDir, "annex.db") };
}

const insert = (database: Database, text = "x") =>
  database.tables<NoteTables>().insertInto("notes").values({ text }).execute();

const insertInTransaction = (database: Database) =>
  database.transaction<NoteTables, void>(async (trx) => {
    await trx.insertInto("notes").values({ text: "x" }).execute();
  });

const insertReturning = (database: Database) =>
  database.tables<NoteTables>().insertInto("notes").values({ text: "x" }).returning("id").execute();

const count = async (database: Database) => {
  const tables = database.tables<NoteTables>();
  const { rows } = await tables
    .selectFrom("notes")
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  return rows;
};

/** All kinds of writes, and the probe, fail with this code; `problem` has the reason. */
async function assertRefused(database: Database, code: string, status: number, reason: string) {
  for (const write of [insert, insertInTransaction, insertReturning, () => database.probe()]) {
    await assert.rejects(write(database), (error: ApiError) => {
      assert.deepEqual([error.code, error.status], [code, status]);
      return true;
    });
    assert.equal(database.problem?.reason, reason);
  }
}

describe("a write that cannot last is refused", () => {
  const removals: Record<string, (dataDir: string) => void> = {
    "the folder was deleted": (dataDir) => rmSync(dataDir, { recursive: true }),
    "the file was deleted": (dataDir) => unlinkSync(join(dataDir, "annex.db")),
    "the write-ahead log was deleted": (dataDir) => unlinkSync(join(dataDir, "annex.db-wal")),
    "the folder was renamed": (dataDir) => renameSync(dataDir, `${dataDir}-old`),
  };
  for (const [when, remove] of Object.entries(removals)) {
    it(`when ${when}`, async (t) => {
      const { database, dataDir } = await open(t);
      await insert(database);
      const before = await count(database);
      remove(dataDir);
      await assertRefused(database, "DATABASE_FILE_CHANGED", 503, "file_removed");
      assert.equal(await count(database), before, "nothing was written to the removed file");
    });
  }

  it("when another file took its place", async (t) => {
    const { database, path } = await open(t);
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
    await assertRefused(database, "DATABASE_FILE_CHANGED", 503, "file_replaced");
  });

  it("when the folder was deleted and created again", async (t) => {
    const { database, dataDir } = await open(t);
    rmSync(dataDir, { recursive: true });
    const other = await open(t, dataDir);
    await insert(other.database);
    await assertRefused(database, "DATABASE_FILE_CHANGED", 503, "file_replaced");
  });

  it("when the file is removed during the transaction", async (t) => {
    const { database, path } = await open(t);
    const before = await count(database);
    const work = database.transaction<NoteTables, void>(async (trx) => {
      await trx.insertInto("notes").values({ text: "x" }).execute();
      renameSync(path, `${path}.away`);
    });
    await assert.rejects(work, { code: "DATABASE_FILE_CHANGED" });
    assert.equal(await count(database), before, "the transaction was rolled back");
  });

  it("and accepted again when the folder is back, without a restart", async (t) => {
    const { database, dataDir } = await open(t);
    renameSync(dataDir, `${dataDir}-away`);
    await assert.rejects(insert(database), { code: "DATABASE_FILE_CHANGED" });
    renameSync(`${dataDir}-away`, dataDir);
    await insert(database);
    assert.equal(database.problem, undefined);
    await database.probe();
  });
});

describe("a full disk", () => {
  it("refuses writes with 507 and the cause, and needs no restart", async (t) => {
    const { database } = await open(t);
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.tables());
    await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(database.tables());
    const large = "x".repeat(100_000);
    await assert.rejects(insert(database, large), (error: ApiError) => {
      assert.deepEqual([error.code, error.status], ["DATABASE_FULL", 507]);
      assert.equal((error.cause as { code: string }).code, "SQLITE_FULL");
      return true;
    });
    const work = database.transaction<NoteTables, void>(async (trx) => {
      await trx.insertInto("notes").values({ text: large }).execute();
    });
    await assert.rejects(work, { code: "DATABASE_FULL" });
    assert.equal(database.problem?.reason, "disk_full");
    await sql`pragma max_page_count = 1000000`.execute(database.tables());
    await insert(database, large);
    assert.equal(database.problem, undefined);
  });

  it("is noticed by the probe", async (t) => {
    const dataDir = mountSmallDisk(t, "2m");
    if (dataDir === undefined) return t.skip("needs the right to mount a file system");
    const { database } = await open(t, dataDir);
    await database.probe();
    const fill = fillDisk(dataDir);
    await assert.rejects(
      async () => {
        // The write-ahead log may still have space for a few pages.
        for (let i = 0; i < 50; i++) await database.probe();
      },
      { code: "DATABASE_FULL" },
    );
    assert.equal(database.problem?.reason, "disk_full");
    unlinkSync(fill);
    await database.probe();
    assert.equal(database.problem, undefined);
  });
});

test("a read-only database refuses writes with 503", async (t) => {
  const { database } = await open(t);
  await sql`pragma query_only = on`.execute(database.tables());
  await assertRefused(database, "DATABASE_READ_ONLY", 503, "read_only");
  await sql`pragma query_only = off`.execute(database.tables());
  await insert(database);
  assert.equal(database.problem, undefined);
});

test("a file that is overwritten while it is open is damaged until it is opened again", async (t) => {
  const { database, path } = await open(t);
  const checkpoint = await sql`pragma wal_checkpoint(truncate)`.execute(database.tables());
  assert.equal(checkpoint.rows.length, 1);
  const good = readFileSync(path);
  const file = openSync(path, "r+");
  writeSync(file, "This is not a database any more. ".repeat(1_000), 0);
  await assert.rejects(database.probe(), { code: "DATABASE_DAMAGED", status: 503 });
  writeSync(file, good, 0, good.length, 0);
  await assert.rejects(database.probe(), { code: "DATABASE_DAMAGED" });
  assert.equal(database.problem?.reason, "damaged");
});

test("a lock that another program holds is temporary", async (t) => {
  const { database, path } = await open(t);
  await sql`pragma busy_timeout = 10`.execute(database.tables());
  const other = new BetterSqlite3(path);
  t.after(() => other.close());
  other.exec("begin immediate");
  await assert.rejects(insert(database), (error: ApiError) => {
    assert.deepEqual([error.code, error.status], ["DATABASE_UNAVAILABLE", 503]);
    assert.deepEqual(error.headers, { "Retry-After": "5" });
    return true;
  });
  assert.equal(database.problem, undefined);
});

test("errors in a query are unchanged", async (t) => {
  const { database } = await open(t);
  const twice = () => database.tables<NoteTables>().insertInto("notes").values({ id: 1 }).execute();
  await assert.rejects(twice(), { code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
  assert.equal(database.problem, undefined);
});

describe("a start with a damaged file", () => {
  const damages: Record<string, (path: string) => void> = {
    "inner pages": (path) => damagePages(path),
    "the header": (path) => {
      const file = openSync(path, "r+");
      writeSync(file, Buffer.alloc(32), 0, 32, 0);
      closeSync(file);
    },
    "its end cut off": (path) => truncateSync(path, 4_096),
    "all of it cut off": (path) => {
      truncateSync(path, 0);
      writeFileSync(join(path, "..", "logs.db"), "x");
    },
    "a folder in its place": (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    "text in its place": (path) => writeFileSync(path, "not a database".repeat(1_000)),
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`is refused, and the file is named and left alone: ${what}`, async () => {
      const dataDir = createTemporaryFolder();
      const path = join(dataDir, "annex.db");
      const database = await openDatabase({ dataDir, durability: "normal" });
      await database.migrate([notes]);
      for (let i = 0; i < 100; i++) await insert(database, `${i}`.repeat(200));
      await database.close();
      damage(path);
      const { size } = statSync(path);
      const attempt = openDatabase({ dataDir }).then((opened) => opened.migrate([notes]));
      await assert.rejects(attempt, { code: "DATABASE_UNUSABLE", exitCode: 65, message: new RegExp(path) });
      assert.equal(statSync(path).size, size);
    });
  }

  it("is refused when a migration reads the damage in a file too large to be checked", async (t) => {
    const dataDir = createTemporaryFolder();
    const path = join(dataDir, "annex.db");
    const { database } = await open(t, dataDir);
    await insert(database, "x".repeat(17 * 2 ** 20));
    await database.close();
    const raw = new BetterSqlite3(path);
    const find = raw.prepare("select rootpage from sqlite_schema where tbl_name = 'annex_migrations'");
    const pages = find.all() as { rootpage: number }[];
    raw.close();
    const file = openSync(path, "r+");
    for (const { rootpage } of pages)
      writeSync(file, Buffer.alloc(4_096, 7), 0, 4_096, (rootpage - 1) * 4_096);
    closeSync(file);
    const damaged = await openDatabase({ dataDir });
    t.after(() => damaged.close());
    const refusal = { code: "DATABASE_UNUSABLE", exitCode: 65, message: new RegExp(path) };
    await assert.rejects(damaged.migrate([notes, readinessMigrations]), refusal);
  });

  it("is refused before SQLite deletes the write-ahead log of an empty file", async () => {
    const dataDir = createTemporaryFolder();
    writeFileSync(join(dataDir, "annex.db"), "");
    writeFileSync(join(dataDir, "annex.db-wal"), "committed data");
    await assert.rejects(openDatabase({ dataDir }), { code: "DATABASE_UNUSABLE" });
    assert.equal(readFileSync(join(dataDir, "annex.db-wal"), "utf8"), "committed data");
  });

  it("is not refused for an empty file alone, or for rows that violate a constraint", async (t) => {
    const dataDir = createTemporaryFolder();
    writeFileSync(join(dataDir, "annex.db"), "");
    const { database } = await open(t, dataDir);
    const tables = database.tables();
    await sql`create table checked (value integer check (value > 0) not null)`.execute(tables);
    await sql`pragma ignore_check_constraints = on`.execute(tables);
    await sql`insert into checked values (-1)`.execute(tables);
    await open(t, dataDir);
  });
});
