import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { type Database, type DatabaseOptions, type MigrationSet, openDatabase } from "../index.ts";
import { type NoteTables, notes } from "./notes.ts";
import { startProcess } from "./process.ts";

/** Returns the options of an empty database. */
export type CreateEmpty = () => Promise<DatabaseOptions>;

/** The tests that all engines must pass. */
export function describeDatabase(name: string, createEmpty: CreateEmpty): void {
  const open = async (t: TestContext, options?: DatabaseOptions): Promise<Database> => {
    const database = await openDatabase(options ?? (await createEmpty()));
    t.after(() => database.close());
    return database;
  };
  const openNotes = async (t: TestContext) => {
    const database = await open(t);
    await database.migrate([notes]);
    return { database, tables: database.tables<NoteTables>() };
  };

  describe(`database on ${name}`, () => {
    test("values come back as they went in", async (t) => {
      const { tables } = await openNotes(t);
      const rows = [
        {
          id: 10,
          count: Number.MAX_SAFE_INTEGER,
          weight: 0.1,
          text: "naïve 漢字 🎉 \u{10FFFF}",
          bytes: allBytes,
        },
        { id: 11, count: Number.MIN_SAFE_INTEGER, weight: -1e300, text: `'";--\\\n`, bytes: Buffer.alloc(0) },
        { id: 12, count: null, weight: null, text: null, bytes: null },
      ];
      await tables.insertInto("notes").values(rows).execute();
      const read = await tables.selectFrom("notes").selectAll().where("id", ">=", 10).orderBy("id").execute();
      assert.deepEqual(read, rows);
    });

    test("bytes can be given as a Uint8Array", async (t) => {
      const { tables } = await openNotes(t);
      await tables
        .insertInto("notes")
        .values({ id: 10, bytes: new Uint8Array(allBytes) })
        .execute();
      const read = await tables.selectFrom("notes").select("bytes").where("bytes", "is not", null).execute();
      assert.deepEqual(read, [{ bytes: allBytes }]);
    });

    test("counts, sums and averages are numbers", async (t) => {
      const { tables } = await openNotes(t);
      await tables
        .insertInto("notes")
        .values([{ count: 2 ** 40 }, { count: 2 ** 40 }])
        .execute();
      const read = await tables
        .selectFrom("notes")
        .select(({ fn }) => [fn.countAll().as("rows"), fn.sum("count").as("sum"), fn.max("count").as("max")])
        .select(({ fn }) => fn.avg("count").as("average"))
        .where("count", ">", 0)
        .executeTakeFirst();
      assert.deepEqual(read, { rows: 2, sum: 2 ** 41, max: 2 ** 40, average: 2 ** 40 });
    });

    test("text is sorted by its bytes", async (t) => {
      const { tables } = await openNotes(t);
      await tables.deleteFrom("notes").execute();
      await tables
        .insertInto("notes")
        .values(["ä", "b", "B", "_", "a"].map((text) => ({ text })))
        .execute();
      const read = await tables.selectFrom("notes").select("text").orderBy("text").execute();
      assert.deepEqual(
        read.map(({ text }) => text),
        ["B", "_", "a", "b", "ä"],
      );
    });

    test("200 concurrent additive upserts sum exactly", async (t) => {
      const { tables } = await openNotes(t);
      const add = (count: number) =>
        tables
          .insertInto("notes")
          .values({ id: 10, count })
          .onConflict((conflict) =>
            conflict.column("id").doUpdateSet({ count: sql`notes.count + excluded.count` }),
          )
          .execute();
      await Promise.all(Array.from({ length: 200 }, (_, i) => add(i)));
      const read = await tables.selectFrom("notes").select("count").where("id", "=", 10).execute();
      assert.deepEqual(read, [{ count: (199 * 200) / 2 }]);
    });

    test("a transaction that throws is rolled back, one that returns is committed", async (t) => {
      const { database, tables } = await openNotes(t);
      const insert = (ids: number[], end: () => string) =>
        database.transaction<NoteTables, string>(async (trx) => {
          for (const id of ids) await trx.insertInto("notes").values({ id }).execute();
          return end();
        });
      await assert.rejects(
        insert([10, 11], () => assert.fail("changed my mind")),
        /changed my mind/,
      );
      assert.equal(await insert([12, 13], () => "done"), "done");
      const read = await tables
        .selectFrom("notes")
        .select("id")
        .where("id", ">=", 10)
        .orderBy("id")
        .execute();
      assert.deepEqual(read, [{ id: 12 }, { id: 13 }]);
    });

    test("50 concurrent transactions are isolated", async (t) => {
      const { database, tables } = await openNotes(t);
      const insertPair = (id: number) =>
        database.transaction<NoteTables, void>(async (trx) => {
          await trx.insertInto("notes").values({ id }).execute();
          await trx.insertInto("notes").values({ id: -id }).execute();
          assert.ok(id % 2, "even pairs fail");
        });
      const ids = Array.from({ length: 50 }, (_, i) => i + 10);
      const outcomes = await Promise.allSettled(ids.map(insertPair));
      assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 25);
      const read = await tables.selectFrom("notes").select("id").where("id", "!=", 1).execute();
      const odd = ids.filter((id) => id % 2);
      assert.deepEqual(new Set(read.map(({ id }) => id)), new Set([...odd, ...odd.map((id) => -id)]));
    });

    test("five processes that start together migrate once", async (t) => {
      const options = await createEmpty();
      const processes = Array.from({ length: 5 }, () => startProcess(t, "migrate", options));
      await Promise.all(processes.map((process) => process.readLine()));
      for (const process of processes) process.writeLine();
      assert.deepEqual(await Promise.all(processes.map(({ end }) => end)), [0, 0, 0, 0, 0]);
      const tables = (await open(t, options)).tables<NoteTables>();
      assert.deepEqual(await tables.selectFrom("notes").select("text").execute(), [{ text: "first" }]);
    });

    test("features add migrations in any order, and each runs once", async (t) => {
      const database = await open(t);
      const ran: string[] = [];
      const set = (feature: string, ...names: string[]): MigrationSet => ({
        feature,
        migrations: Object.fromEntries(
          names.map((name) => [name, { up: async () => void ran.push(`${feature}/${name}`) }]),
        ),
      });
      await database.migrate([set("b", "001-x")]);
      await database.migrate([set("b", "001-x", "002-y"), set("a", "001-z")]);
      await database.migrate([set("a", "001-z")]);
      await database.migrate([set("b", "001-x", "002-y"), set("a", "001-z")]);
      assert.deepEqual(ran, ["b/001-x", "a/001-z", "b/002-y"]);
    });

    test("a database of a newer release is refused", async (t) => {
      const { database } = await openNotes(t);
      const older = { feature: "notes", migrations: { "001-notes": notes.migrations["001-notes"]! } };
      await assert.rejects(database.migrate([older]), {
        code: "DATABASE_NEWER",
        message: /"notes\/002-first-note"\)\. Start that release, or restore a backup made before it\.$/,
      });
    });

    test("a renamed migration of the application is refused, and the message says what to do", async (t) => {
      const database = await open(t);
      const { migrations } = notes;
      await database.migrate([{ feature: "application", migrations }]);
      const { "001-notes": first, ...others } = migrations;
      const renamed = { feature: "application", migrations: { "001-start": first!, ...others } };
      await assert.rejects(database.migrate([renamed]), {
        code: "DATABASE_NEWER",
        message:
          /"application\/001-notes".*If you renamed or deleted this migration, restore its name and its code\.$/,
      });
    });

    test("a failed migration is named and rolled back, including those before it", async (t) => {
      const database = await open(t);
      const broken = { up: () => Promise.reject(new Error("no such luck")) };
      const failing = { feature: "notes", migrations: { ...notes.migrations, "002-first-note": broken } };
      await assert.rejects(database.migrate([failing]), /"notes\/002-first-note" failed.*no such luck/);
      await assert.rejects(database.tables<NoteTables>().selectFrom("notes").selectAll().execute(), /notes/);
      await database.migrate([notes]);
    });

    test("a migration that fails in SQL is named as well", async (t) => {
      const database = await open(t);
      const twice: MigrationSet = {
        feature: "notes",
        migrations: {
          ...notes.migrations,
          "003-again": notes.migrations["001-notes"]!,
        },
      };
      await assert.rejects(database.migrate([twice]), /"notes\/003-again" failed.*already exists/);
      await database.migrate([notes]);
    });

    test("it reports its disk usage, the largest part first", async (t) => {
      const { database, tables } = await openNotes(t);
      const before = await database.size();
      await tables
        .insertInto("notes")
        .values({ bytes: randomBytes(500_000) })
        .execute();
      const { bytes, parts } = await database.size();
      assert.ok(bytes >= before.bytes + 500_000, `${bytes} after ${before.bytes}`);
      assert.ok(parts.some(({ name }) => name === (database.engine === "sqlite" ? "annex.db" : "notes")));
      assert.ok(parts[0]!.bytes >= 500_000);
      const sizes = parts.map((part) => part.bytes);
      assert.deepEqual(
        sizes,
        sizes.toSorted((one, other) => other - one),
      );
    });

    test("it closes even if it was never used", async (t) => {
      const database = await open(t);
      await database.close();
      await assert.rejects(database.ping());
    });

    test("it responds until it is closed, and can be closed twice", async (t) => {
      const database = await open(t);
      await database.ping();
      await database.close();
      await database[Symbol.asyncDispose]();
      await assert.rejects(database.ping());
    });
  });
}

const allBytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
