import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { FakeClock } from "../lib/testing/fake-clock.ts";
import { until } from "../lib/testing/until.ts";
import { type Database, keepSmall, openDatabase } from "./index.ts";
import { createTemporaryFolder } from "./testing/temporary-folder.ts";

const megabyte = 1_000_000;

async function fill(database: Database, rows: number): Promise<void> {
  const tables = database.tables();
  await sql`create table if not exists pages (id integer primary key, body blob)`.execute(tables);
  await sql`insert into pages (body)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
    select randomblob(10000) from n`.execute(tables);
}

async function open(dataDir: string): Promise<Database> {
  return openDatabase({ dataDir, durability: "normal" });
}

const sizeOf = async (database: Database) =>
  (await database.size()).parts.find(({ name }) => name === "annex.db")!;

it("a file gets smaller after a deletion, and keeps a little for the next rows", async (t) => {
  const database = await open(createTemporaryFolder());
  t.after(() => database.close());
  const clock = new FakeClock(0);
  const stop = keepSmall(database, clock);
  await fill(database, 2_000);
  await sql`delete from pages where id > 100`.execute(database.tables());
  assert.ok((await sizeOf(database)).free! > 18 * megabyte);
  clock.advance(60_000);
  // More steps may follow when the file is small.
  const { free } = await until(
    "the file is small",
    () => sizeOf(database),
    (size) => size.bytes < 3 * megabyte && size.free! < 1.1 * megabyte,
  );
  assert.ok(free! > 0);
  await stop();
});

it("waits for a transaction, and lets other statements run between two steps", async (t) => {
  const database = await open(createTemporaryFolder());
  t.after(() => database.close());
  await fill(database, 1_000);
  await sql`delete from pages where id > 100`.execute(database.tables());
  let isOver = false;
  const holding = Promise.withResolvers<void>();
  const transaction = database.transaction(async (trx) => {
    await sql`insert into pages (body) values (zeroblob(1))`.execute(trx);
    await holding.promise;
    isOver = true;
  });
  const step = database.release().then((hasMore) => {
    assert.ok(isOver, "a step does not run inside another transaction");
    assert.ok(hasMore);
  });
  holding.resolve();
  await Promise.all([transaction, step]);
  let steps = 1;
  while (await database.release()) {
    steps++;
    await sql`insert into pages (body) values (zeroblob(1))`.execute(database.tables());
  }
  assert.ok(steps > 10, `${steps} steps`);
});

it("a file of an earlier version stays as it is", async (t) => {
  const dataDir = createTemporaryFolder();
  const old = new BetterSqlite3(join(dataDir, "annex.db"));
  old.exec("create table pages (id integer primary key, body blob)");
  old.close();
  const database = await open(dataDir);
  t.after(() => database.close());
  await fill(database, 1_000);
  await sql`delete from pages`.execute(database.tables());
  assert.equal(await database.release(), false);
  await sql`pragma wal_checkpoint(truncate)`.execute(database.tables());
  assert.ok(statSync(join(dataDir, "annex.db")).size > 9 * megabyte);
});
