import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createTestDatabase } from "../../../tests/support/postgres.ts";
import { createTraceId } from "../../lib/ids.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../../storage/index.ts";
import type { Block } from "../sink.ts";
import { createBlockWriter } from "./block-writer.ts";
import { createBlockTable, type LogTables, logMigrations } from "./blocks.ts";
import { createLogStore } from "./log-store.ts";
import { type LogQuery, searchLogs } from "./search.ts";
import { createTraceFilter, mayHoldTrace } from "./trace-filter.ts";
import { startWriterThread } from "./writer-thread.ts";

const retention = { maxAgeMs: 1_000_000, maxBytes: 100_000_000 };

interface Line {
  time: number;
  level?: "DEBUG" | "INFO" | "WARN" | "ERROR";
  msg: string;
  trace_id?: string;
}

const severity = { DEBUG: -4, INFO: 0, WARN: 4, ERROR: 8 };

function blockOf(...lines: Line[]): Block {
  const text = lines.map(({ time, level = "INFO", ...rest }) =>
    JSON.stringify({ time: new Date(time).toISOString(), level, event: "log", ...rest }),
  );
  return {
    bytes: Buffer.from(`${text.join("\n")}\n`),
    count: lines.length,
    firstTime: lines[0]!.time,
    lastTime: lines.at(-1)!.time,
    maxLevel: Math.max(...lines.map(({ level = "INFO" }) => severity[level])),
  };
}

/** The same behaviour is asked of every engine. */
function describeStore(engine: string, place: () => Promise<DatabaseOptions & { remove(): unknown }>): void {
  describe(`log blocks in ${engine}`, () => {
    let database: Database;
    let options: DatabaseOptions;
    let remove: () => unknown;

    before(async () => {
      ({ remove, ...options } = await place());
      database = await openDatabase(options);
      await database.migrate([logMigrations]);
    });
    after(async () => {
      await database.close();
      await remove();
    });

    async function fill(...blocks: Block[]): Promise<void> {
      await database.tables<LogTables>().deleteFrom("annex_log_blocks").execute();
      const table = createBlockTable(database);
      // A writer for each, so that none are put together.
      for (const block of blocks) await createBlockWriter(table, { now: () => 0 }, retention).append(block);
    }

    const messages = async (query: LogQuery) =>
      (await searchLogs(database, query)).items.map(({ msg }) => msg);

    it("are searched by time, level, text and trace ID, newest first", async () => {
      const trace = createTraceId();
      await fill(
        blockOf({ time: 1_000, msg: "first" }, { time: 2_000, msg: "Zweite Übung", level: "WARN" }),
        blockOf(
          { time: 3_000, msg: "third", trace_id: trace },
          { time: 4_000, msg: "fourth", level: "ERROR", trace_id: trace },
        ),
        blockOf({ time: 5_000, msg: "fifth", level: "DEBUG" }),
      );
      assert.deepEqual(await messages({}), ["fifth", "fourth", "third", "Zweite Übung", "first"]);
      assert.deepEqual(await messages({ from: 2_000, to: 3_000 }), ["third", "Zweite Übung"]);
      assert.deepEqual(await messages({ level: "warn" }), ["fourth", "Zweite Übung"]);
      assert.deepEqual(await messages({ text: "übung" }), ["Zweite Übung"]);
      assert.deepEqual(await messages({ traceId: trace }), ["fourth", "third"]);
      assert.deepEqual(await messages({ traceId: createTraceId() }), []);
      assert.deepEqual(await messages({ traceId: trace, level: "error", text: "FOUR" }), ["fourth"]);
    });

    it("are paged by a cursor, each record once", async () => {
      const lines = Array.from({ length: 25 }, (_, index) => ({ time: 1_000 + index, msg: `m${index}` }));
      await fill(
        blockOf(...lines.slice(0, 10)),
        blockOf(...lines.slice(10, 12)),
        blockOf(...lines.slice(12)),
      );
      const seen: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await searchLogs(database, { limit: 4, ...(cursor && { cursor }) });
        seen.push(...page.items.map(({ msg }) => msg));
        cursor = page.cursor;
      } while (cursor !== undefined && ++pages < 50);
      assert.deepEqual(seen, lines.map(({ msg }) => msg).reverse());
      await assert.rejects(searchLogs(database, { cursor: "nonsense" }), RangeError);
    });

    it("of a quiet server are put together, and no record is lost or doubled by it", async () => {
      await fill();
      const writer = createBlockWriter(createBlockTable(database), { now: () => 0 }, retention);
      for (let second = 0; second <= 130; second++) {
        await writer.append(blockOf({ time: second * 1_000, msg: `s${second}`, trace_id: createTraceId() }));
      }
      const rows = await database
        .tables<LogTables>()
        .selectFrom("annex_log_blocks")
        .select("record_count")
        .execute();
      assert.ok(rows.length < 20, `${rows.length} blocks`);
      assert.equal(
        rows.reduce((sum, row) => sum + row.record_count, 0),
        131,
      );
      assert.equal((await messages({ limit: 1000 })).length, 131);
    });

    it("go when they are too old, and the oldest first when they are too many", async () => {
      // Random, so that it cannot be compressed to nothing.
      const big = (time: number) => blockOf({ time, msg: randomBytes(7_500).toString("base64") });
      await fill(big(1_000), big(2_000), big(3_000), big(4_000));
      const table = createBlockTable(database);
      await createBlockWriter(table, { now: () => 12_500 }, { maxAgeMs: 10_000, maxBytes: 1e9 }).purge();
      assert.deepEqual(
        (await searchLogs(database, {})).items.map(({ time }) => Date.parse(time)),
        [4_000, 3_000],
      );
      const batch = Array.from({ length: 60 }, (_, index) => big(5_000 + index));
      await fill(...batch);
      await createBlockWriter(table, { now: () => 12_500 }, { maxAgeMs: 1e9, maxBytes: 110_000 }).purge();
      const kept = (await searchLogs(database, {})).items.map(({ time }) => Date.parse(time));
      assert.deepEqual(kept, [5_059, 5_058, 5_057, 5_056, 5_055, 5_054, 5_053, 5_052, 5_051, 5_050]);
    });

    it("are written by a thread of their own", async () => {
      await fill();
      const forever = { maxAgeMs: 1e15, maxBytes: 1e9 };
      const thread = startWriterThread({ database: options, retention: forever });
      const trace = createTraceId();
      for (let index = 0; index < 20; index++) {
        const block = blockOf({ time: index, msg: `m${index}`, trace_id: trace });
        thread.append(block);
      }
      await thread.flush();
      assert.deepEqual([thread.waitingBytes, thread.problem], [0, undefined]);
      assert.equal((await messages({ traceId: trace })).length, 20);
      await thread.close();
    });

    it("are found at once, also before there is a thread, and not taken any more after the end", async () => {
      await fill();
      const store = createLogStore({ connection: async () => database, database: options, retention });
      store.append(blockOf({ time: 1, msg: "early" }));
      assert.equal((await store.search({})).items.length, 1);
      store.append(blockOf({ time: 2, msg: "last" }));
      await store.close();
      assert.deepEqual(await messages({}), ["last", "early"]);
      store.append(blockOf({ time: 3, msg: "late" }));
      assert.deepEqual(store.status(), { isWriting: true, problem: undefined, dropped: 1 });
    });

    it("that cannot be written wait, are said to be failing, and are written when it works again", async () => {
      await fill();
      const thread = startWriterThread({ database: options, retention });
      await thread.flush();
      const { tables } = database;
      await tables<LogTables>().schema.alterTable("annex_log_blocks").renameTo("hidden_log_blocks").execute();
      const lines = [1, 2, 3].map((time) => blockOf({ time, msg: `m${time}` }));
      for (const block of lines) thread.append(block);
      while (thread.problem === undefined) await new Promise(setImmediate);
      assert.match(thread.problem, /annex_log_blocks/);
      assert.ok(thread.waitingBytes > 0);
      await tables<LogTables>().schema.alterTable("hidden_log_blocks").renameTo("annex_log_blocks").execute();
      while (thread.waitingBytes > 0) await new Promise(setImmediate);
      assert.equal(thread.problem, undefined);
      assert.deepEqual(await messages({}), ["m3", "m2", "m1"]);
      await thread.close();
    });

    it("that cannot be written from here wait within a bound, and are written when it works again", async () => {
      await fill();
      let works = false;
      const connection = async () => {
        if (!works) throw new Error("no disk");
        return database;
      };
      const store = createLogStore({ connection, database: options, retention });
      const megabyte = blockOf({ time: 1, msg: "x".repeat(1_000_000) });
      for (let index = 0; index < 20; index++) store.append(megabyte);
      await store.flush();
      assert.deepEqual(store.status(), { isWriting: false, problem: "no disk", dropped: 4 });
      works = true;
      // One too many, even now: but it gets the line moving.
      store.append(megabyte);
      await store.flush();
      store.append(blockOf({ time: 2, msg: "again" }));
      await store.flush();
      assert.deepEqual(store.status(), { isWriting: true, problem: undefined, dropped: 5 });
      assert.equal((await messages({})).length, 17);
      await store.close();
    });
  });
}

describeStore("SQLite", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-logs-"));
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
});

describeStore("PostgreSQL", async () => {
  const { url, drop } = await createTestDatabase();
  return { dataDir: "/dev/null/unused", url, remove: drop };
});

describe("the filter over trace IDs", () => {
  it("knows every ID of the block, and rules out nearly all others", () => {
    const inside = Array.from({ length: 500 }, createTraceId);
    const { bytes } = blockOf(...inside.map((trace_id, time) => ({ time, msg: "m", trace_id })));
    const filter = createTraceFilter(bytes, 500);
    assert.ok(inside.every((id) => mayHoldTrace(filter, id)));
    const wrong = Array.from({ length: 2_000 }, createTraceId).filter((id) => mayHoldTrace(filter, id));
    assert.ok(wrong.length < 100, `${wrong.length} of 2000 were not ruled out`);
  });
});
