import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { sql } from "kysely";
import { createTestDatabase } from "../../../../tests/support/postgres.ts";
import { createTraceId } from "../../../lib/ids.ts";
import { settles, until } from "../../../lib/testing/until.ts";
import { recordThreads } from "../../../lib/worker/testing/started-threads.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../../../storage/index.ts";
import { damagePages } from "../../../storage/testing/damage.ts";
import type { Block } from "../output/sink.ts";
import { createLogBlock as blockOf } from "../testing/log-block.ts";
import { createRequestBlock } from "../testing/request-block.ts";
import { createBlockWriter, type LimitState } from "./block-writer.ts";
import {
  type BlockPosition,
  type BlockReader,
  createBlockReader,
  createBlockTable,
  type LogBlockRow,
  type LogTables,
  logMigrations,
} from "./blocks.ts";
import { createTraceFilter, mayHoldTrace } from "./filters/trace-filter.ts";
import { createLogStore } from "./log-store.ts";
import type { LogQuery, LogRecord } from "./search/query.ts";
import { searchLogs } from "./search/search.ts";
import { countLogs } from "./search/volume.ts";
import { createWriterService } from "./writer-service.ts";
import { startWriterThread } from "./writer-thread.ts";

const retention = { maxAgeMs: 1_000_000, maxBytes: 100_000_000 };

/** The same tests for every engine. */
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
      // One writer per block, so that none are merged.
      for (const block of blocks) await createBlockWriter(table, { now: () => 0 }, retention).append(block);
    }

    const countBlocks = async () =>
      (await database.tables<LogTables>().selectFrom("annex_log_blocks").select("id").execute()).length;

    const search = (query: LogQuery) => searchLogs(createBlockReader(database), query);
    function createCountingReader(): BlockReader & { opened: number } {
      const reader = createBlockReader(database);
      return {
        ...reader,
        opened: 0,
        read(id) {
          this.opened++;
          return reader.read(id);
        },
      };
    }

    /** Reads all pages. */
    async function readAll(query: LogQuery) {
      const items: LogRecord[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await search({ ...query, cursor });
        items.push(...page.items);
        cursor = page.cursor;
        assert.ok(++pages < 500, "it has an end");
      } while (cursor !== undefined);
      return {
        pages,
        messages: items.map(({ msg }) => msg),
        times: items.map(({ time }) => Date.parse(time)),
      };
    }
    const messages = async (query: LogQuery) => (await search(query)).items.map(({ msg }) => msg);

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

    it("name the instance that wrote them, and are searched and counted by it", async () => {
      await fill(blockOf({ time: 500, msg: "from an older version" }));
      const table = createBlockTable(database);
      for (const [instance, time] of [
        ["web-1", 1_000],
        ["web-2", 2_000],
        ["web-1", 3_000],
      ] as const)
        await createBlockWriter(table, { now: () => 0 }, retention, instance).append(
          blockOf({ time, msg: `${instance} at ${time}`, level: "WARN" }),
        );
      const { items } = await search({});
      assert.deepEqual(
        items.map(({ instance }) => instance),
        ["web-1", "web-2", "web-1", undefined],
      );
      const ofFirst = ["web-1 at 3000", "web-1 at 1000"];
      const first = { field: "instance", value: "web-1" };
      assert.deepEqual(await messages({ instance: "web-1" }), ofFirst);
      assert.deepEqual(await messages({ where: [first] }), ofFirst);
      assert.deepEqual(await messages({ not: [first] }), ["web-2 at 2000", "from an older version"]);
      assert.deepEqual(await messages({ instance: "web-1", where: [{ ...first, value: "web-2" }] }), []);
      assert.deepEqual(await messages({ instance: "web\0" }), []);
      const reader = createCountingReader();
      const { points } = await countLogs(reader, { from: 0, to: 10_000, points: 1, instance: "web-1" });
      assert.deepEqual([points[0]!.warn, reader.opened], [2, 0]);
    });

    it("keep their instance when they are merged", async () => {
      await fill();
      const writer = createBlockWriter(createBlockTable(database), { now: () => 0 }, retention, "web-1");
      for (const time of [1_000, 30_000, 62_000]) await writer.append(blockOf({ time, msg: `${time}` }));
      assert.equal(await countBlocks(), 1);
      assert.deepEqual(await messages({ instance: "web-1" }), ["62000", "30000", "1000"]);
    });

    it("are paged by a cursor, each record once", async () => {
      const lines = Array.from({ length: 25 }, (_, index) => ({ time: 1_000 + index, msg: `m${index}` }));
      await fill(
        blockOf(...lines.slice(0, 10)),
        blockOf(...lines.slice(10, 12)),
        blockOf(...lines.slice(12)),
      );
      const { messages: seen, pages } = await readAll({ limit: 4 });
      assert.deepEqual(seen, lines.map(({ msg }) => msg).reverse());
      assert.equal(pages, 7);
      for (const cursor of ["nonsense", "", "1-", "-1-1", "1.5-1", "1-1-1", "1e3-1", "WzEsMl0"])
        await assert.rejects(search({ cursor }), RangeError);
    });

    it("are paged by a cursor that stays valid when small blocks are merged", async () => {
      await fill();
      const writer = createBlockWriter(createBlockTable(database), { now: () => 0 }, retention);
      const second = (time: number) => blockOf({ time: time * 1_000, msg: `s${time}` });
      for (let time = 0; time < 60; time++) await writer.append(second(time));
      const first = await search({ limit: 10 });
      await writer.append(second(60));
      assert.equal(await countBlocks(), 1);
      const rest = await search({ limit: 100, cursor: first.cursor! });
      assert.deepEqual(
        [...first.items, ...rest.items].map(({ msg }) => msg),
        Array.from({ length: 60 }, (_, index) => `s${59 - index}`),
      );
    });

    it("are searched to the end even if they are merged while a page is read", async () => {
      await fill();
      const writer = createBlockWriter(createBlockTable(database), { now: () => 0 }, retention);
      const second = (time: number) => blockOf({ time: time * 1_000, msg: `s${time}` });
      for (let time = 0; time < 60; time++) await writer.append(second(time));
      const reader = createBlockReader(database);
      let reads = 0;
      const page = await searchLogs(
        {
          ...reader,
          async read(id) {
            if (++reads === 10) await writer.append(second(60));
            return reader.read(id);
          },
        },
        { to: 59_000 },
      );
      assert.equal(await countBlocks(), 1);
      assert.deepEqual(
        page.items.map(({ msg }) => msg),
        Array.from({ length: 60 }, (_, index) => `s${59 - index}`),
      );
    });

    it("keep the order within a millisecond, even if blocks are merged between two pages", async () => {
      await fill();
      const table = createBlockTable(database);
      const [one, other] = [1, 2].map((now) => createBlockWriter(table, { now: () => now }, retention));
      const at = (time: number, ...names: string[]) => blockOf(...names.map((msg) => ({ time, msg })));
      for (const [index, name] of ["a", "b", "c", "d"].entries()) {
        await one!.append(at(5_000, `1${name}`));
        await other!.append(at(5_000, `2${name}`, `2${name}'`));
        if (index === 1) await one!.append(at(5_000, `1full ${"x".repeat(70_000)}`));
      }
      const before = (await messages({})).map((msg) => msg.slice(0, 5));
      const late = ["2d'", "2d", "2c'", "2c", "2b'", "2b", "2a'", "2a"];
      assert.deepEqual(before, [...late, "1d", "1c", "1full", "1b", "1a"]);

      const after: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await search({ to: 5_000, limit: 1, cursor });
        after.push(...page.items.map(({ msg }) => msg.slice(0, 5)));
        cursor = page.cursor;
        // Both writers merge their small blocks, one after two pages, the other after five.
        if (after.length === 2) await one!.append(at(66_000, "end"));
        if (after.length === 5) await other!.append(at(66_000, "end"));
      } while (cursor !== undefined);
      assert.deepEqual(after, before);
      assert.equal(await countBlocks(), 4);
    });

    it("of several instances are merged into one order", async () => {
      await fill(
        blockOf({ time: 1_000, msg: "a1" }, { time: 5_000, msg: "a5" }),
        blockOf({ time: 2_000, msg: "b2" }, { time: 4_000, msg: "b4" }),
        blockOf({ time: 3_000, msg: "c3" }, { time: 6_000, msg: "c6" }),
      );
      const all = ["c6", "a5", "b4", "c3", "b2", "a1"];
      assert.deepEqual(await messages({}), all);
      assert.deepEqual(await messages({ from: 2_000, to: 5_000 }), all.slice(1, 5));
      assert.deepEqual((await readAll({ limit: 1 })).messages, all);
    });

    it("are in order even if the clock was set back", async () => {
      const lines = [3_000, 3_001, 1_000, 1_001, 2_000].map((time) => ({ time, msg: `t${time}` }));
      await fill({ ...blockOf(...lines), firstTime: 1_000, lastTime: 3_001 });
      assert.deepEqual(await messages({}), ["t3001", "t3000", "t2000", "t1001", "t1000"]);
    });

    it("are opened up to a number of bytes per page, and the loop turns in between", async () => {
      const noise = () => randomBytes(130_000).toString("base64");
      await fill(...Array.from({ length: 80 }, (_, index) => blockOf({ time: index, msg: noise() })));
      const reader = createCountingReader();
      let turns = 0;
      let isDone = false;
      const turn = () => {
        turns++;
        if (!isDone) setImmediate(turn);
      };
      setImmediate(turn);
      const page = await searchLogs(reader, { not: [{ field: "event", value: "log" }] });
      isDone = true;
      assert.equal(page.items.length, 0);
      assert.ok(reader.opened > 30 && reader.opened < 70, `${reader.opened} blocks`);
      assert.ok(turns >= reader.opened, `${turns} turns`);
      const { messages: found, pages } = await readAll({ limit: 1000 });
      assert.equal(found.length, 80);
      assert.equal(pages, 2);
    });

    it("that are small are all opened in one page", async () => {
      await fill(...Array.from({ length: 400 }, (_, index) => blockOf({ time: index, msg: `m${index}` })));
      const reader = createCountingReader();
      assert.deepEqual(await searchLogs(reader, { event: "none" }), { items: [] });
      assert.equal(reader.opened, 400);
    });

    it("that may contain a text are few, and only those are opened", async () => {
      const lines = (text: string) =>
        Array.from({ length: 300 }, (_, index) => ({
          time: index,
          msg: index === 200 ? text : `Paid order ${index}`,
          trace_id: createTraceId(),
          padding: "x".repeat(200),
        }));
      const texts = ["Zebra-17", "the payment provider", "zebras", "ZEBRA-18", "nothing"];
      await fill(...texts.map((text) => blockOf(...lines(text))));
      const reader = createCountingReader();
      const search = async (query: LogQuery) => (await searchLogs(reader, query)).items.length;
      assert.equal(await search({ text: "ebra-1" }), 2);
      assert.ok(reader.opened < 5, `${reader.opened} blocks`);
      assert.equal(await search({ text: "kangaroo-reservation" }), 0);
      assert.equal(await search({ where: [{ field: "msg", value: "the payment provider" }] }), 1);
      assert.ok(reader.opened < 8, `${reader.opened} blocks`);
      const counted = await countLogs(reader, { from: 0, to: 1_000, points: 1, text: "zebra" });
      assert.equal(
        counted.points.reduce((sum, { info }) => sum + info, 0),
        3,
      );
    });

    it("without a filter over their text are opened", async () => {
      const text = blockOf(...Array.from({ length: 300 }, (_, time) => ({ time, msg: "m".repeat(300) })));
      await fill(text);
      const filters = database.tables<LogTables>().selectFrom("annex_log_grams").select("block");
      assert.equal((await filters.execute()).length, 1);
      assert.equal((await search({ text: "mmmmm", limit: 1_000 })).items.length, 300);
      await database.tables<LogTables>().deleteFrom("annex_log_grams").execute();
      assert.equal((await search({ text: "mmmmm", limit: 1_000 })).items.length, 300);
    });

    it("take their filters with them when they are merged and deleted", async () => {
      await fill();
      const writer = createBlockWriter(
        createBlockTable(database),
        { now: () => 1_000_000 },
        { ...retention, maxAgeMs: 1 },
      );
      for (const time of [0, 30_000, 70_000]) await writer.append(blockOf({ time, msg: "Paid" }));
      const filters = database.tables<LogTables>().selectFrom("annex_log_grams").select("block");
      assert.deepEqual([await countBlocks(), (await filters.execute()).length], [1, 1]);
      await writer.purge();
      assert.deepEqual([await countBlocks(), (await filters.execute()).length], [0, 0]);
    });

    it("are passed, however many overlap at one moment", async () => {
      const blocks = Array.from({ length: 130 }, (_, index) =>
        blockOf({ time: 1_000, msg: `early${index}` }, { time: 2_000 + (index % 3), msg: `late${index}` }),
      );
      await fill(...blocks);
      const { messages: found, times } = await readAll({ limit: 1000 });
      assert.equal(new Set(found).size, 260);
      assert.equal(found.length, 260);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
      );
    });

    it("that may hold a trace are few, and only those are opened", async () => {
      const trace = createTraceId();
      const blocks = Array.from({ length: 120 }, (_, index) =>
        blockOf(
          ...Array.from({ length: 20 }, (_, line) => ({
            time: index * 1_000 + line,
            msg: `m${index}`,
            trace_id: index === 3 && line === 7 ? trace : createTraceId(),
          })),
        ),
      );
      await fill(...blocks);
      const reader = createCountingReader();
      const page = await searchLogs(reader, { traceId: trace });
      assert.deepEqual(
        page.items.map(({ msg }) => msg),
        ["m3"],
      );
      assert.equal(page.cursor, undefined);
      assert.ok(reader.opened < 20, `${reader.opened} blocks`);
    });

    it("are listed in batches, even if hundreds end in the same millisecond", async () => {
      await fill();
      const trace = createTraceId();
      const rows = Array.from({ length: 1_200 }, (_, index): LogBlockRow => {
        const { bytes } = blockOf({ time: 1_000, msg: `m${index}`, trace_id: trace });
        // A filter without bits excludes every trace, regardless of the contents of the block.
        const traces = index % 100 === 0 ? createTraceFilter(bytes.toString("latin1"), 1) : new Uint8Array(8);
        const body = zstdCompressSync(bytes);
        const times = { first_time: 1_000, last_time: 1_000 };
        const size = body.length;
        return {
          id: `id${index}`,
          ...times,
          record_count: 1,
          max_level: 0,
          size,
          traces,
          body,
          counts: null,
          instance: null,
        };
      });
      for (let start = 0; start < rows.length; start += 400) {
        const some = rows.slice(start, start + 400);
        await database.tables<LogTables>().insertInto("annex_log_blocks").values(some).execute();
      }
      const found = await messages({ traceId: trace });
      assert.deepEqual(
        found.sort(),
        rows.flatMap((_, index) => (index % 100 === 0 ? `m${index}` : [])).sort(),
      );
    });

    it("are searched for requests", async () => {
      const block = await createRequestBlock(
        { path: "/todos/1", statusCode: 404, durationMs: 0.2 },
        { path: "/todos/2", statusCode: 204, durationMs: 30, method: "DELETE" },
        { path: "/", statusCode: 500, durationMs: 2_000 },
      );
      await fill(blockOf({ time: 1, msg: "log" }), block);
      const paths = async (query: LogQuery) => (await search(query)).items.map(({ path }) => path);
      assert.deepEqual(await paths({ status: "4xx" }), ["/todos/1"]);
      assert.deepEqual(await paths({ path: "/todos/{id}" }), ["/todos/2", "/todos/1"]);
      assert.deepEqual(await paths({ method: "delete", maxDurationMs: 30 }), ["/todos/2"]);
      assert.deepEqual(await paths({ minDurationMs: 30 }), ["/", "/todos/2"]);
      assert.deepEqual(await paths({ event: "http_request" }), ["/", "/todos/2", "/todos/1"]);
      assert.deepEqual(await paths({ event: "log", minDurationMs: 0 }), []);
    });

    it("are searched by levels and by what fields have", async () => {
      await fill(
        blockOf({ time: 1, msg: "a", level: "DEBUG", user: { id: 7 } }, { time: 2, msg: "b", level: "WARN" }),
        blockOf(
          { time: 3, msg: "c", user: { id: 8 } },
          { time: 4, msg: "d", level: "ERROR", user: { id: 7 } },
        ),
      );
      assert.deepEqual(await messages({ levels: ["debug", "warn"] }), ["b", "a"]);
      assert.deepEqual(await messages({ levels: ["debug", "warn"], level: "info" }), ["b"]);
      assert.deepEqual(await messages({ levels: [] }), []);
      assert.deepEqual(await messages({ where: [{ field: "user.id", value: 7 }] }), ["d", "a"]);
      assert.deepEqual(await messages({ not: [{ field: "user.id", value: "7" }] }), ["c", "b"]);
      const level = { field: "level", value: "Error" };
      assert.deepEqual(await messages({ where: [level] }), ["d"]);
      assert.deepEqual(await messages({ not: [level, { field: "level", value: "INFO" }] }), ["b", "a"]);
      assert.deepEqual(await messages({ where: [level], not: [level] }), []);
    });

    it("contain a complete trace, in the order of writing even within a millisecond", async () => {
      await fill();
      const table = createBlockTable(database);
      const trace = createTraceId();
      const recordsAt = (time: number, ...names: string[]) =>
        blockOf(...names.map((msg) => ({ time, msg, trace_id: trace })));
      const strange = Array.from({ length: 40 }, (_, index) => blockOf({ time: index, msg: "other" }));
      // Created first and used last, like the thread, which takes over after blocks have been written without it.
      let now = 0;
      const later = createBlockWriter(table, { now: () => now }, retention);
      now = 1;
      const sooner = createBlockWriter(table, { now: () => now }, retention);
      for (const block of strange) await createBlockWriter(table, { now: () => 0 }, retention).append(block);
      await sooner.append(recordsAt(5_000, "1", "2"));
      await sooner.append(recordsAt(5_000, "3"));
      now = 2;
      await later.append(recordsAt(5_000, "4", "5"));
      await later.append(recordsAt(65_000, "6"));
      const reader = createCountingReader();
      const { items, cursor } = await searchLogs(reader, { traceId: trace });
      assert.deepEqual(items.map(({ msg }) => msg).reverse(), ["1", "2", "3", "4", "5", "6"]);
      assert.equal(cursor, undefined);
      assert.ok(reader.opened < 10, `${reader.opened} blocks`);
    });

    it("cannot be searched by an invalid time, but by any valid one", async () => {
      await fill(blockOf({ time: 1_000, msg: "one" }), blockOf({ time: 2_000, msg: "two" }));
      await assert.rejects(search({ from: Number.NaN }), RangeError);
      await assert.rejects(search({ to: Number.NaN }), RangeError);
      const { POSITIVE_INFINITY: ever } = Number;
      assert.deepEqual(await messages({ from: -ever, to: ever }), ["two", "one"]);
      assert.deepEqual(await messages({ from: -1e300, to: 1e300 }), ["two", "one"]);
      assert.deepEqual(await messages({ from: 999.5, to: 1_000.5 }), ["one"]);
      assert.deepEqual(await messages({ from: 1_000.5 }), ["two"]);
      assert.deepEqual(await messages({ from: 2_000, to: 1_000 }), []);
      assert.deepEqual(await messages({ limit: Number.NaN }), ["two"]);
    });

    it("are written once even if merging fails", async () => {
      await fill();
      const table = createBlockTable(database);
      const broken = { ...table, replace: () => Promise.reject(new Error("no disk")) };
      const writer = createBlockWriter(broken, { now: () => 0 }, retention);
      for (const time of [0, 60_000, 120_000]) await writer.append(blockOf({ time, msg: `t${time}` }));
      assert.deepEqual(await messages({}), ["t120000", "t60000", "t0"]);
    });

    it("of a server with little traffic are merged without lost or duplicate records", async () => {
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

    it("are deleted when they expire, and the oldest first when the size limit is reached", async () => {
      // Random, so that it cannot be compressed.
      const big = (time: number) => blockOf({ time, msg: randomBytes(7_500).toString("base64") });
      await fill(big(1_000), big(2_000), big(3_000), big(4_000));
      const table = createBlockTable(database);
      // A retention in hours need not be a whole number of milliseconds.
      await createBlockWriter(table, { now: () => 12_500 }, { maxAgeMs: 9_999.7, maxBytes: 1e9 }).purge();
      assert.deepEqual(
        (await search({})).items.map(({ time }) => Date.parse(time)),
        [4_000, 3_000],
      );
      const batch = Array.from({ length: 60 }, (_, index) => big(5_000 + index));
      await fill(...batch);
      await createBlockWriter(table, { now: () => 12_500 }, { maxAgeMs: 1e9, maxBytes: 110_000 }).purge();
      const sizes = await database
        .tables<LogTables>()
        .selectFrom("annex_log_blocks")
        .select(["last_time", "size"])
        .orderBy("last_time", "desc")
        .execute();
      const total = sizes.reduce((sum, { size }) => sum + size, 0);
      assert.ok(total <= 110_000 && total + sizes[0]!.size > 110_000, "as many as fit");
      assert.deepEqual(
        sizes.map(({ last_time }) => last_time),
        sizes.map((_, index) => 5_059 - index),
      );
    });

    /** Many blocks of different times, 1,000 bytes each by their own account. */
    async function fillMany(count: number) {
      await fill(blockOf({ time: 0, msg: "x" }));
      const row = await database
        .tables<LogTables>()
        .selectFrom("annex_log_blocks")
        .selectAll()
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: count }, (_, index) => ({
        ...row,
        id: `b${String(index).padStart(9, "0")}`,
        // Several have the same time.
        last_time: Math.floor(index / 7),
        size: 1_000,
      }));
      await database.tables<LogTables>().deleteFrom("annex_log_blocks").execute();
      for (let at = 0; at < count; at += 500)
        await database
          .tables<LogTables>()
          .insertInto("annex_log_blocks")
          .values(rows.slice(at, at + 500))
          .execute();
    }

    const storedBytes = async () => {
      const blocks = await database
        .tables<LogTables>()
        .selectFrom("annex_log_blocks")
        .select("size")
        .execute();
      return blocks.reduce((sum, { size }) => sum + size, 0);
    };

    it("are appended and flushed while many others are deleted", async (t) => {
      await fillMany(3_000);
      const connection = await openDatabase(options);
      const service = createWriterService({
        database: options,
        connection,
        retention: { maxAgeMs: 1e15, maxBytes: 10_000 },
        report: (problem) => assert.equal(problem, undefined),
      });
      t.after(() => service.close?.());
      // The service begins with a deletion.
      await until("some blocks are deleted", countBlocks, (count) => count < 3_000);
      const { bytes, ...block } = blockOf({ time: 1e9, msg: "meanwhile" });
      const memory = new ArrayBuffer(bytes.length);
      new Uint8Array(memory).set(bytes);
      await service.handlers.write(block, memory, bytes.length);
      await service.handlers.flush();
      const left = await countBlocks();
      assert.ok(left > 100, `${left} blocks are left`);
      assert.deepEqual(await messages({ from: 1e9 }), ["meanwhile"]);
      await until("the deletion ends", countBlocks, (count) => count <= 11);
    });

    if (engine === "SQLite")
      it("are still flushed while they cannot be deleted", async (t) => {
        t.mock.timers.enable({ apis: ["setInterval"] });
        await fillMany(10);
        const connection = await openDatabase(options);
        const tables = connection.tables<LogTables>();
        await sql`create trigger keep before delete on annex_log_blocks begin select raise(fail, 'kept'); end`.execute(
          tables,
        );
        const problems: (string | undefined)[] = [];
        const service = createWriterService({
          database: options,
          connection,
          retention: { maxAgeMs: 1e15, maxBytes: 5_000 },
          report: (problem) => problems.push(problem),
        });
        t.after(() => service.close?.());
        await until("a deletion fails", () => problems.length === 1);
        assert.match(problems[0]!, /kept/);
        const { bytes, ...block } = blockOf({ time: 1e9, msg: "meanwhile" });
        const memory = new ArrayBuffer(bytes.length);
        new Uint8Array(memory).set(bytes);
        const writing = service.handlers.write(block, memory, bytes.length);
        const flushing = service.handlers.flush();
        assert.ok(flushing instanceof Promise, "it waits for the block");
        await flushing;
        assert.deepEqual(await messages({ from: 1e9 }), ["meanwhile"]);
        await writing;
        assert.equal(problems.length, 1, "a block that was written does not end the problem");
        await sql`drop trigger keep`.execute(tables);
        t.mock.timers.tick(60_000);
        await until("the next deletion succeeds", () => problems.length === 2);
        assert.equal(problems[1], undefined);
      });

    it("stay where they are if the thread closes while it deletes", async () => {
      await fillMany(3_000);
      const connection = await openDatabase(options);
      const service = createWriterService({
        database: options,
        connection,
        retention: { maxAgeMs: 1e15, maxBytes: 10_000 },
        report: (problem) => assert.equal(problem, undefined),
      });
      await until("some blocks are deleted", countBlocks, (count) => count < 3_000);
      await service.close?.();
      assert.ok((await countBlocks()) > 100);
    });

    it("are measured once for each deletion, and not again before more were written", async () => {
      await fillMany(3_000);
      const table = createBlockTable(database);
      let measured = 0;
      const counting = {
        ...table,
        sizesBefore(position?: BlockPosition) {
          measured++;
          return table.sizesBefore(position);
        },
      };
      const limits = { maxAgeMs: 1e15, maxBytes: 100_000 };
      const writer = createBlockWriter(counting, { now: () => 0 }, limits);
      await writer.purge();
      assert.equal(await countBlocks(), 100);
      // 1,000 blocks at a time.
      assert.equal(measured, 4);
      await writer.append(blockOf({ time: 1e9, msg: "x" }));
      measured = 0;
      await writer.purge();
      // Other instances may have written. The second portion is empty.
      assert.equal(measured, engine === "SQLite" ? 0 : 2);
      await writer.append(blockOf({ time: 1e9, msg: randomBytes(7_500).toString("base64") }));
      await writer.purge();
      assert.ok((await storedBytes()) <= 100_000);
      limits.maxBytes = 50_000;
      await writer.purge();
      assert.ok((await storedBytes()) <= 50_000);
      assert.ok((await countBlocks()) > 30);
    });

    it("are deleted with progress, and the time that fits is known", async () => {
      await fillMany(3_000);
      const before = await storedBytes();
      const table = createBlockTable(database);
      const seen: LimitState["removing"][] = [];
      const watching = {
        ...table,
        removeUpTo(position: BlockPosition) {
          seen.push(writer.state.removing);
          return table.removeUpTo(position);
        },
      };
      const writer = createBlockWriter(watching, { now: () => 0 }, { maxAgeMs: 1e15, maxBytes: 100_000 });
      await writer.purge();
      const steps = seen.filter((state) => state !== undefined);
      assert.ok(steps.length > 10);
      assert.deepEqual(
        steps.map(({ total }) => total),
        steps.map(() => before - 100_000),
      );
      const done = steps.map((state) => state.done);
      assert.deepEqual(
        done,
        done.toSorted((one, other) => one - other),
      );
      assert.equal(done[0], 0);
      assert.equal(writer.state.removing, undefined);
      // The time of the newest of 2,900.
      assert.equal(writer.state.since, Math.floor(2_899 / 7));
    });

    it("stay if the limit is raised while they are deleted", async () => {
      await fillMany(3_000);
      const limits = { maxAgeMs: 1e15, maxBytes: 10_000 };
      const table = createBlockTable(database);
      const raising = {
        ...table,
        removeUpTo(position: BlockPosition) {
          limits.maxBytes = 1e9;
          return table.removeUpTo(position);
        },
      };
      await createBlockWriter(raising, { now: () => 0 }, limits).purge();
      assert.ok((await countBlocks()) >= 2_900);
    });

    it("are written by a separate thread", async () => {
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

    it("are found immediately, even before the thread starts, and rejected after the end", async () => {
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

    it("that are many are searched, exported and counted in a thread, with the same results", async (t) => {
      const started = recordThreads(t);
      await fill(
        ...Array.from({ length: 120 }, (_, index) => blockOf({ time: index * 1_000, msg: `m${index}` })),
      );
      // The thread deletes expired records as soon as it starts.
      const unlimited = { ...retention, maxAgeMs: 1e15 };
      const store = createLogStore({
        connection: async () => database,
        database: options,
        retention: unlimited,
      });
      t.after(() => store.close());
      const query = { text: "m1", limit: 20 };
      assert.deepEqual(await store.search(query), await search(query));
      const { text, count, cursor } = await store.file(query, "ndjson");
      const { items } = await search(query);
      assert.deepEqual(
        Buffer.from(text).toString(),
        items.map((item) => `${JSON.stringify(item)}\n`).join(""),
      );
      assert.deepEqual([count, cursor], [20, (await search(query)).cursor]);
      const window = { from: 0, to: 120_000, points: 4 };
      assert.deepEqual(await store.volume(window), await countLogs(createBlockReader(database), window));
      assert.ok(started.some(({ name }) => name === "annex-log-reader"));
      await assert.rejects(store.search({ cursor: "none" }), RangeError);
    });

    it("that cannot be written wait, are said to be failing, and are written when it works again", async () => {
      await fill();
      const thread = startWriterThread({ database: options, retention: { ...retention, maxAgeMs: 1e15 } });
      await thread.flush();
      const { schema } = database.tables<LogTables>();
      // Deletions do not need the column.
      await schema.alterTable("annex_log_blocks").renameColumn("body", "hidden").execute();
      const lines = [1, 2, 3].map((time) => blockOf({ time, msg: `m${time}` }));
      for (const block of lines) thread.append(block);
      const problem = await until("the thread reports a problem", () => thread.problem);
      assert.match(problem!, /annex_log_blocks/);
      assert.ok(thread.waitingBytes > 0);
      await schema.alterTable("annex_log_blocks").renameColumn("hidden", "body").execute();
      await until("nothing waits", () => thread.waitingBytes === 0);
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
      // Still one too many, but it triggers processing of the queue.
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
    const filter = createTraceFilter(bytes.toString("latin1"), 500);
    assert.ok(inside.every((id) => mayHoldTrace(filter, id)));
    const wrong = Array.from({ length: 2_000 }, createTraceId).filter((id) => mayHoldTrace(filter, id));
    assert.ok(wrong.length < 100, `${wrong.length} of 2000 were not ruled out`);
  });
});

describe("log records whose thread ends", () => {
  async function open(t: TestContext) {
    const started = recordThreads(t);
    const dataDir = mkdtempSync(join(tmpdir(), "annex-logs-"));
    const options = { dataDir, file: "logs.db" };
    const database = await openDatabase(options);
    await database.migrate([logMigrations]);
    const forever = { maxAgeMs: 1e15, maxBytes: 1e9 };
    const store = createLogStore({
      connection: async () => database,
      database: options,
      retention: forever,
    });
    t.after(async () => {
      await store.close(1_000);
      await database.close();
      rmSync(dataDir, { recursive: true });
    });
    const rename = (from: string, to: string) =>
      database.tables<LogTables>().schema.alterTable(from).renameTo(to).execute();
    return {
      store,
      /** The thread, once it is ready. */
      async thread(index: number) {
        await until("a thread has started", () => started.length > index);
        await settles("it is ready", started[index]!.ready);
        return started[index]!.worker;
      },
      breakTable: () => rename("annex_log_blocks", "hidden_log_blocks"),
      repairTable: () => rename("hidden_log_blocks", "annex_log_blocks"),
    };
  }
  const largeBlock = (time: number) => blockOf({ time, msg: "x".repeat(250_000) });

  for (const count of [60, 67]) {
    it(`while ${count} blocks are pending are counted, and later ones are stored`, async (t) => {
      const { store, thread, breakTable, repairTable } = await open(t);
      const first = await thread(0);
      await breakTable();
      for (let time = 0; time < count; time++) store.append(largeBlock(time));
      await until("the thread fails", () => store.status().problem);
      assert.equal(store.status().dropped, 0);
      await first.terminate();
      await until("the end is noticed", () => store.status().dropped);
      assert.equal(store.status().dropped, count);
      assert.equal(store.status().isWriting, false);
      assert.match(store.status().problem!, /The thread annex-log-writer has ended: exit code 1/);
      await repairTable();
      // They wait for the next thread.
      for (let time = 100; time < 140; time++) store.append(largeBlock(time));
      await thread(1);
      await store.flush();
      assert.deepEqual(store.status(), { isWriting: true, problem: undefined, dropped: count });
      assert.equal((await store.search({ limit: 1_000 })).items.length, 40);
    });
  }

  it("can be searched meanwhile, and those that wait are written when the store is closed", async (t) => {
    const { store, thread } = await open(t);
    const first = await thread(0);
    store.append(blockOf({ time: 1, msg: "before" }));
    await store.flush();
    await first.terminate();
    await until("the end is noticed", () => store.status().problem);
    store.append(blockOf({ time: 2, msg: "meanwhile" }));
    assert.deepEqual(
      (await store.search({})).items.map(({ msg }) => msg),
      ["before"],
    );
    await store.close();
    assert.deepEqual(
      (await store.search({})).items.map(({ msg }) => msg),
      ["meanwhile", "before"],
    );
    assert.deepEqual(store.status(), { isWriting: true, problem: undefined, dropped: 0 });
  });
});

describe("log records in a file that is damaged while it is open", () => {
  it("cannot be searched, which is reported, and the next start moves the file aside", async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), "annex-logs-"));
    const options = { dataDir, file: "logs.db" };
    const database = await openDatabase(options);
    t.after(async () => {
      await database.close();
      rmSync(dataDir, { recursive: true });
    });
    await database.migrate([logMigrations]);
    const store = createLogStore({ connection: async () => database, database: options, retention });
    t.after(() => store.close());
    for (let i = 0; i < 100; i++)
      store.append(blockOf({ time: i, msg: randomBytes(50_000).toString("base64") }));
    await store.flush();
    assert.equal(store.status().problem, undefined);
    await sql`pragma wal_checkpoint(truncate)`.execute(database.tables());
    damagePages(join(dataDir, "logs.db"), 16_384);
    await assert.rejects(store.search({ text: "nowhere" }), { code: "DATABASE_DAMAGED", status: 503 });
    assert.equal(store.status().isWriting, false);
    assert.match(store.status().problem!, /damaged/);
    assert.ok(existsSync(join(dataDir, "logs.db.damaged")));
  });
});
