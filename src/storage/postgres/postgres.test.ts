import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { after, type TestContext, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { startDatabaseProxy } from "../../../tests/support/database-proxy.ts";
import { createTestDatabase, type TestDatabase } from "../../../tests/support/postgres.ts";
import type { ApiError } from "../../lib/errors/errors.ts";
import { until } from "../../lib/testing/until.ts";
import { type Database, type DatabaseOptions, type Migration, openDatabase } from "../index.ts";
import { type NoteTables, notes } from "../testing/notes.ts";

const dataDir = "/dev/null/not-used";

const created: TestDatabase[] = [];
after(() => Promise.all(created.map(({ drop }) => drop())));

async function createUrl(): Promise<string> {
  const database = await createTestDatabase();
  created.push(database);
  return database.url;
}

async function open(t: TestContext, url: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ dataDir, url, ...options });
  t.after(() => database.close());
  return database;
}

/** The value of a query with one row and one column. */
async function readValue(database: Database, query: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`${sql.raw(query)}`.execute(database.tables());
  return Object.values(rows[0]!)[0];
}

async function listen(t: TestContext, onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  return { server, port: (server.address() as { port: number }).port };
}

test("the connection is set up", async (t) => {
  const database = await open(t, await createUrl());
  assert.equal(await readValue(database, "show application_name"), "annex");
  assert.equal(await readValue(database, "show statement_timeout"), "30s");
  assert.equal(await readValue(database, "show idle_in_transaction_session_timeout"), "30s");
});

test("postgresql:// is the same as postgres://", async (t) => {
  const url = await createUrl();
  await (await open(t, url.replace("postgres:", "postgresql:"))).ping();
});

test("number parsers apply to our pool only", async (t) => {
  await open(t, await createUrl());
  assert.equal(pg.types.getTypeParser(pg.types.builtins.INT8)("1"), "1");
});

test("a server that cannot be reached is named, with the reason and without the password", async (t) => {
  const real = new URL(await createUrl());
  const { server, port } = await listen(t, () => {});
  server.close();
  const change = (changes: Partial<URL>) => Object.assign(new URL(real), changes).href;
  const cases: [url: string, reason: RegExp][] = [
    [
      change({ port: `${port}`, password: "secret" }),
      new RegExp(`127.0.0.1:${port}${real.pathname} .*connection refused`),
    ],
    [change({ hostname: "nowhere.invalid", password: "secret" }), /nowhere.invalid:.*host/],
    [change({ password: "secret" }), /authentication failed/],
    [change({ pathname: "/absent" }), /\/absent .*the database does not exist/],
  ];
  for (const [url, reason] of cases) {
    await assert.rejects(openDatabase({ dataDir, url }), (error: Error & { code?: string }) => {
      assert.equal(error.code, "DATABASE_UNREACHABLE");
      assert.match(error.message, reason);
      assert.ok(!error.message.includes("secret") && !error.message.includes(real.password));
      return true;
    });
  }
});

test("a connection to a server that does not respond times out", async (t) => {
  const { port } = await listen(t, (socket) => t.after(() => socket.destroy()));
  const url = `postgres://annex:secret@127.0.0.1:${port}/annex`;
  const refusal = { code: "DATABASE_UNREACHABLE", message: /timeout/ };
  await assert.rejects(openDatabase({ dataDir, url, connectTimeoutMs: 50 }), refusal);
});

/** Terminates all other connections to the database and waits until the server has closed them. */
async function cutOthers(database: Database): Promise<void> {
  const others = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await readValue(database, `select count(pg_terminate_backend(pid, 5000)) ${others}`);
}

const isReachable = (database: Database) =>
  database.ping().then(
    () => true,
    () => false,
  );

test("losing an idle connection has no effect", async (t) => {
  const url = await createUrl();
  const database = await open(t, url, { poolSize: 1 });
  await cutOthers(await open(t, url));
  // The first queries may still get the broken connection.
  for (let failures = 0; !(await isReachable(database)); failures++) assert.ok(failures < 5);
});

test("losing the connection between two queries of a transaction fails that transaction alone", async (t) => {
  const url = await createUrl();
  const database = await open(t, url, { poolSize: 1 });
  const other = await open(t, url);
  await database.migrate([notes]);
  const cut = database.transaction<NoteTables, void>(async (trx) => {
    await trx.insertInto("notes").values({ id: 10 }).execute();
    await cutOthers(other);
    await other.ping();
    await trx.insertInto("notes").values({ id: 11 }).execute();
  });
  await assert.rejects(cut);
  assert.equal(await readValue(database, "select count(*) from notes where id >= 10"), 0);
});

test("text is compared by its bytes, whatever the collation of the database", async (t) => {
  const database = await open(t, await createUrl());
  await database.migrate([notes]);
  const column = "from information_schema.columns where table_name = 'notes' and column_name = 'text'";
  assert.equal(await readValue(database, `select collation_name ${column}`), "C");
});

/** Applies to connections that are opened afterwards. */
async function setIsolation(url: string, level: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = client.escapeIdentifier(new URL(url).pathname.slice(1));
  await client.query(`alter database ${name} set default_transaction_isolation = '${level}'`);
  await client.end();
}

for (const level of ["read committed", "serializable"])
  test(`${level}: a second instance waits for the migration of the first, and does not repeat it`, async (t) => {
    const url = await createUrl();
    await setIsolation(url, level);
    const [first, second, observer] = [await open(t, url), await open(t, url), await open(t, url)];
    const entered = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    let runs = 0;
    const up: Migration["up"] = async (db) => {
      runs++;
      await db.schema.createTable("slow").addColumn("id", "integer").execute();
      entered.resolve();
      await mayEnd.promise;
    };
    const sets = [{ feature: "slow", migrations: { "001-slow": { up } } }];
    const firstEnd = first.migrate(sets);
    await entered.promise;
    const secondEnd = second.migrate(sets);
    const waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted";
    await until(
      "the second migration waits for the lock",
      () => readValue(observer, waiting),
      (count) => count !== 0,
    );
    mayEnd.resolve();
    await Promise.all([firstEnd, secondEnd]);
    assert.equal(runs, 1);
  });

test("a single statement that conflicts under serializable isolation is repeated", async (t) => {
  const url = await createUrl();
  await setIsolation(url, "serializable");
  const [database, observer] = [await open(t, url), await open(t, url)];
  await database.migrate([notes]);
  const tables = database.tables<NoteTables>();
  await tables.insertInto("notes").values({ id: 10, count: 0 }).execute();
  const increase = (query: typeof tables) =>
    query
      .updateTable("notes")
      .set((row) => ({ count: row("count", "+", 1) }))
      .where("id", "=", 10)
      .execute();
  let waiting: Promise<unknown> | undefined;
  await database.transaction<NoteTables, void>(async (trx) => {
    await increase(trx);
    waiting = increase(tables);
    await until("the statement waits for the transaction", () =>
      readValue(observer, "select count(*) from pg_locks where not granted"),
    );
  });
  await waiting;
  assert.equal(await readValue(database, "select count from notes where id = 10"), 2);
});

test("transactions can use another isolation level", async (t) => {
  const tables = (await open(t, await createUrl())).tables();
  const read = sql<{ level: string }>`select current_setting('transaction_isolation') as level`;
  const run = (level: "serializable" | undefined) => {
    const transaction = tables.transaction();
    const levelled = level ? transaction.setIsolationLevel(level) : transaction;
    return levelled.execute(async (trx) => (await read.execute(trx)).rows[0]?.level);
  };
  assert.deepEqual([await run(undefined), await run("serializable")], ["read committed", "serializable"]);
});

test("a migration may take longer than a statement", async (t) => {
  const database = await open(t, await createUrl(), { statementTimeoutMs: 100 });
  await assert.rejects(readValue(database, "select pg_sleep(0.3)"), (error: ApiError) => {
    assert.deepEqual([error.code, error.status], ["DATABASE_UNAVAILABLE", 503]);
    return /statement timeout/.test((error.cause as Error).message);
  });
  assert.equal(database.problem, undefined, "a slow query is not a fault of the server");
  const slow: Migration = { up: async (db) => void (await sql`select pg_sleep(0.3)`.execute(db)) };
  await database.migrate([{ feature: "slow", migrations: { "001-slow": slow } }]);
});

test("a migration whose connection is silently lost fails, although it has no timeout", async (t) => {
  const url = await createUrl();
  const proxy = await startDatabaseProxy(t, url);
  const database = await open(t, proxy.url, { responseTimeoutMs: 2_000 });
  const other = await open(t, url);
  const up: Migration["up"] = async (db) => {
    proxy.silence();
    // The server does the same 30 seconds after the last statement that it has received.
    await cutOthers(other);
    await sql`select 1`.execute(db);
  };
  await assert.rejects(database.migrate([{ feature: "lost", migrations: { "001-lost": { up } } }]), {
    code: "DATABASE_UNREACHABLE",
  });
});

test("two schemas of one database are two installations", async (t) => {
  const url = await createUrl();
  const admin = await open(t, url);
  await sql`create schema other`.execute(admin.tables());
  await admin.migrate([notes]);
  const other = await open(t, `${url}?options=-c%20search_path%3Dother`);
  await other.migrate([notes]);
  assert.equal(await readValue(other, "select count(*) from pg_tables where tablename = 'notes'"), 2);
});

test("a user without the right to create tables gets an error", async (t) => {
  const url = new URL(await createUrl());
  const admin = await open(t, url.href);
  const role = sql.id(url.pathname.slice(1));
  await sql`create role ${role} login password 'visitor'`.execute(admin.tables());
  try {
    Object.assign(url, { username: url.pathname.slice(1), password: "visitor" });
    const visitor = await open(t, url.href);
    const refusal = { code: "DATABASE_UNUSABLE", message: /permission denied for schema public/ };
    await assert.rejects(visitor.migrate([notes]), refusal);
  } finally {
    await sql`drop role ${role}`.execute(admin.tables());
  }
});
