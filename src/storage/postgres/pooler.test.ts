import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { createTestDatabase, type TestDatabase } from "../../../tests/support/postgres.ts";
import { type PoolerOptions, startTransactionPooler } from "../../../tests/support/transaction-pooler.ts";
import type { ApiError } from "../../lib/errors/errors.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../index.ts";
import { type NoteTables, notes } from "../testing/notes.ts";

const limits = { statementTimeoutMs: 1_000, responseTimeoutMs: 60_000 };

const created: TestDatabase[] = [];
after(() => Promise.all(created.map(({ drop }) => drop())));

async function startPooler(t: TestContext, options?: PoolerOptions) {
  const database = await createTestDatabase();
  created.push(database);
  return startTransactionPooler(t, database.url, options);
}

async function open(t: TestContext, url: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ dataDir: "/dev/null/not-used", url, ...limits, ...options });
  t.after(() => database.close());
  return database;
}

const settings = sql<Record<string, string>>`
  select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle`;

const isCancelledByServer = (error: ApiError) => {
  assert.equal(error.code, "DATABASE_UNAVAILABLE");
  return /canceling statement due to statement timeout/.test((error.cause as Error).message);
};

for (const ignoresParameters of [false, true]) {
  const how = ignoresParameters ? "ignores" : "refuses";
  test(`a pooler that ${how} startup parameters: every statement has a limit on the server`, async (t) => {
    const pooler = await startPooler(t, { ignoresParameters });
    const database = await open(t, pooler.url);
    const tables = database.tables();
    assert.deepEqual(pooler.refused, ignoresParameters ? [] : ["statement_timeout"]);
    await assert.rejects(sql`select pg_sleep(600)`.execute(tables), isCancelledByServer);
    await assert.rejects(sql`select pg_sleep(${600}::int)`.execute(tables), isCancelledByServer);
    await assert.rejects(
      database.transaction((trx) => sql`select pg_sleep(600)`.execute(trx)),
      isCancelledByServer,
    );
    const inTransaction = await database.transaction(async (trx) => (await settings.execute(trx)).rows[0]);
    assert.deepEqual(inTransaction, { statement: "1s", idle: "30s" });
    assert.equal(database.problem, undefined, "the server has responded");
  });
}

test("limits end with their transaction, so other clients of the pooler do not get them", async (t) => {
  const pooler = await startPooler(t);
  const database = await open(t, pooler.url);
  await database.migrate([notes]);
  await database.transaction(async (trx) => void (await sql`select 1`.execute(trx)));
  for (let i = 0; i < 4; i++) await sql`select ${i}::int`.execute(database.tables());
  await assert.rejects(sql`select 1 / ${0}::int`.execute(database.tables()), /division by zero/);
  for (const name of ["statement_timeout", "idle_in_transaction_session_timeout"])
    assert.deepEqual(await pooler.queryServers(`show ${name}`), ["0", "0", "0"]);
  assert.deepEqual(await pooler.queryServers("select count(*) from pg_prepared_statements"), ["0", "0", "0"]);
});

test("results are the same as on a direct connection", async (t) => {
  const pooler = await startPooler(t);
  const database = await open(t, pooler.url);
  await database.migrate([notes]);
  const tables = database.tables<NoteTables>();
  const inserted = await tables
    .insertInto("notes")
    .values([
      { id: 10, text: "a" },
      { id: 11, text: "b" },
    ])
    .returning("id")
    .execute();
  assert.deepEqual(inserted, [{ id: 10 }, { id: 11 }]);
  const { numUpdatedRows } = await tables
    .updateTable("notes")
    .set({ text: "c" })
    .where("id", ">=", 10)
    .executeTakeFirst();
  assert.equal(numUpdatedRows, 2n);
  const { rows } = await sql<{ count: number }>`select count(*) as count from notes where id >= 10`.execute(
    tables,
  );
  assert.deepEqual(rows, [{ count: 2 }]);
  await sql`vacuum notes`.execute(tables);
});

test("the refusal of the startup parameters is remembered", async (t) => {
  const pooler = await startPooler(t);
  const database = await open(t, pooler.url, { poolSize: 4 });
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) => sql<{ n: number }>`select ${i}::int as n`.execute(database.tables())),
  );
  assert.deepEqual(
    results.map(({ rows }) => rows[0]?.n),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
  assert.equal(pooler.refused.length, 1);
});

test("a parameter in the address that the pooler refuses is named with a remedy", async (t) => {
  const pooler = await startPooler(t);
  const refusal = { code: "DATABASE_UNREACHABLE", message: /refuses the parameter options; remove it/ };
  await assert.rejects(open(t, `${pooler.url}?options=-c%20search_path%3Dother`), refusal);
  const own = { code: "DATABASE_UNREACHABLE", message: /refuses the parameter statement_timeout; remove it/ };
  await assert.rejects(open(t, `${pooler.url}?statement_timeout=1000`), own);
});

test("the test pooler switches server connections, so that session state is lost", async (t) => {
  const pooler = await startPooler(t);
  const client = new pg.Client({ connectionString: pooler.url });
  await client.connect();
  t.after(() => client.end());
  await client.query("set statement_timeout = 77");
  const { rows } = await client.query("show statement_timeout");
  assert.deepEqual(rows, [{ statement_timeout: "0" }]);
  const named = { name: "one", text: "select 1" };
  await client.query(named);
  await assert.rejects(client.query(named), /prepared statement "one" does not exist/);
});
