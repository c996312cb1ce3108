import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { recordThreads } from "../../lib/worker/testing/started-threads.ts";
import { openDatabase } from "../index.ts";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";

interface Tables {
  notes: { text: string; body: Uint8Array };
}

async function openNotes(t: TestContext) {
  const started = recordThreads(t);
  const dataDir = createTemporaryFolder();
  const database = await openDatabase({ dataDir });
  t.after(() => database.close());
  const createNotes = {
    up: async ({ schema }: Parameters<import("../index.ts").Migration["up"]>[0]) =>
      schema.createTable("notes").addColumn("text", "text").addColumn("body", "blob").execute(),
  };
  await database.migrate([{ feature: "notes", migrations: { "001-notes": createNotes } }]);
  const write = (text: string) =>
    database
      .tables<Tables>()
      .insertInto("notes")
      .values({ text, body: Buffer.from(text) })
      .execute();
  return { database, dataDir, started, write };
}

describe("the reader of a SQLite file", () => {
  it("reads what was written before, in one thread that starts with the first query", async (t) => {
    const { database, started, write } = await openNotes(t);
    const query = database.reader<Tables>().selectFrom("notes").selectAll();
    assert.equal(started.length, 0);
    for (const text of ["one", "two"]) {
      await write(text);
      const rows = await query.where("text", "=", text).execute();
      assert.deepEqual(
        rows.map(({ text, body }) => [text, Buffer.from(body).toString()]),
        [[text, text]],
      );
    }
    assert.deepEqual(
      started.map(({ name }) => name),
      ["annex-reader"],
    );
    await database.close();
    assert.equal(started[0]!.worker.threadId, -1, "it has ended");
  });

  it("writes nothing", async (t) => {
    const { database, write } = await openNotes(t);
    await write("one");
    const reader = database.reader<Tables>();
    await assert.rejects(reader.deleteFrom("notes").execute(), { code: "HISTORY_UNAVAILABLE" });
    await assert.rejects(
      reader.transaction().execute(async () => {}),
      /only runs single queries/,
    );
    assert.equal((await database.tables<Tables>().selectFrom("notes").selectAll().execute()).length, 1);
  });

  it("returns 503 while the file is missing", async (t) => {
    const { database, dataDir } = await openNotes(t);
    rmSync(join(dataDir, "annex.db"));
    await assert.rejects(database.reader<Tables>().selectFrom("notes").selectAll().execute(), {
      status: 503,
      code: "HISTORY_UNAVAILABLE",
    });
  });
});
