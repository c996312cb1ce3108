import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { createTraceId } from "../../../../lib/ids.ts";
import type { Database } from "../../../../storage/index.ts";
import { engines, openTestDatabase } from "../../../../storage/testing/test-database.ts";
import type { Block } from "../../output/sink.ts";
import { createLogBlock as blockOf, type TestLine } from "../../testing/log-block.ts";
import { createBlockWriter } from "../block-writer.ts";
import {
  type BlockReader,
  createBlockReader,
  createBlockTable,
  type LogBlockRow,
  type LogTables,
  logMigrations,
} from "../blocks.ts";
import { createHourSums } from "./hour-sums.ts";
import { countLogs, type LogVolume, type VolumePoint, type VolumeQuery } from "./volume.ts";

const retention = { maxAgeMs: 1e15, maxBytes: 1e12 };
const minute = 60_000;
const day = 86_400_000;

const writerAt = (database: Database, now = 0) =>
  createBlockWriter(createBlockTable(database), { now: () => now }, retention);

/** One writer per block, so that none are merged. */
async function fill(database: Database, ...blocks: Block[]): Promise<void> {
  for (const [index, block] of blocks.entries()) await writerAt(database, index).append(block);
}

/** Removes the counts, as in blocks of an older release. */
async function forgetCounts(database: Database): Promise<void> {
  await database.tables<LogTables>().updateTable("annex_log_blocks").set({ counts: null }).execute();
}

function createCountingReader(database: Database): BlockReader & { opened: number } {
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

const totalOf = ({ points }: LogVolume) =>
  points.reduce((sum, { debug, info, warn, error }) => sum + debug + info + warn + error, 0);

/** The bars that are not empty, as a short text: `60000 1/0/0/2`. */
const show = ({ points }: LogVolume) =>
  points
    .filter(({ debug, info, warn, error }) => debug + info + warn + error > 0)
    .map(({ time, debug, info, warn, error }) => `${time} ${debug}/${info}/${warn}/${error}`);

/** The complete result, from as many queries as necessary. */
async function countAll(blocks: BlockReader, query: VolumeQuery) {
  const sums = new Map<number, VolumePoint>();
  let before: number | undefined;
  let questions = 0;
  do {
    const { points, reached } = await countLogs(blocks, { ...query, before });
    for (const point of points) {
      const { debug, info, warn, error } = sums.get(point.time) ?? { debug: 0, info: 0, warn: 0, error: 0 };
      sums.set(point.time, {
        time: point.time,
        debug: debug + point.debug,
        info: info + point.info,
        warn: warn + point.warn,
        error: error + point.error,
      });
    }
    assert.ok(reached === undefined || reached < (before ?? Number.POSITIVE_INFINITY), "it gets on");
    before = reached;
    assert.ok(++questions < 50, "it has an end");
  } while (before !== undefined);
  return { questions, points: [...sums.values()].sort((one, other) => one.time - other.time) };
}

for (const engine of engines) {
  describe(`the volume of the log in ${engine}`, () => {
    const open = (t: TestContext) => openTestDatabase(t, engine, logMigrations);

    it("is counted by level and time, without opening a block", async (t) => {
      const database = await open(t);
      await fill(
        database,
        blockOf({ time: 10_000, msg: "a", level: "DEBUG" }, { time: 59_999, msg: "b", level: "ERROR" }),
        blockOf(
          { time: 50_000, msg: "c" },
          { time: 60_000, msg: "d" },
          { time: 125_000, msg: "e", level: "WARN" },
        ),
      );
      const blocks = createCountingReader(database);
      const volume = await countLogs(blocks, { from: 0, to: 3 * minute, points: 3 });
      assert.deepEqual(volume, {
        from: 0,
        to: 180_000,
        stepMs: minute,
        points: [
          { time: 0, debug: 1, info: 1, warn: 0, error: 1 },
          { time: 60_000, debug: 0, info: 1, warn: 0, error: 0 },
          { time: 120_000, debug: 0, info: 0, warn: 1, error: 0 },
        ],
      });
      const ask = async (query: Partial<VolumeQuery>) =>
        show(await countLogs(blocks, { from: 0, to: 3 * minute, points: 3, ...query }));
      assert.deepEqual(await ask({ level: "warn" }), ["0 0/0/0/1", "120000 0/0/1/0"]);
      assert.deepEqual(await ask({ levels: ["debug", "warn"] }), ["0 1/0/0/0", "120000 0/0/1/0"]);
      assert.deepEqual(await ask({ not: [{ field: "level", value: "INFO" }] }), [
        "0 1/0/0/1",
        "120000 0/0/1/0",
      ]);
      assert.deepEqual(await ask({ level: "error", levels: ["debug"] }), []);
      assert.equal(blocks.opened, 0);
    });

    it("has bars of whole steps around what was asked for, and nothing from beside them", async (t) => {
      const database = await open(t);
      const times = [59_000, 60_000, 119_999, 120_000, 179_999, 180_000];
      await fill(database, blockOf(...times.map((time) => ({ time, msg: "m" }))));
      const blocks = createBlockReader(database);
      const volume = await countLogs(blocks, { from: 61_234, to: 121_234, points: 1 });
      assert.deepEqual([volume.from, volume.to, volume.stepMs], [60_000, 180_000, minute]);
      assert.deepEqual(show(volume), ["60000 0/2/0/0", "120000 0/2/0/0"]);
      const text = await countLogs(blocks, { from: 61_234, to: 121_234, points: 1, text: "m" });
      assert.deepEqual(text, volume);
      const moment = await countLogs(blocks, { from: 119_999, to: 120_000, points: 2_000 });
      assert.deepEqual(moment, {
        from: 119_000,
        to: 120_000,
        stepMs: 1_000,
        points: [{ time: 119_000, debug: 0, info: 1, warn: 0, error: 0 }],
      });
      const ever = await countLogs(blocks, { from: 0, to: 8.64e15, points: 100 });
      assert.equal(ever.stepMs % day, 0);
      assert.equal(totalOf(ever), 6);
    });

    it("is the same by header, by opening, and by a filter that everything passes", async (t) => {
      const database = await open(t);
      const levels = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
      const blocks = Array.from({ length: 60 }, (_, block) => {
        const lines = Array.from({ length: 20 }, (_, line): TestLine => {
          const time = block * 7_300 + line * 1_901;
          return { time, msg: "message", level: levels[(block + line) % 4]! };
        });
        return blockOf(...lines);
      });
      await fill(database, ...blocks);
      const reader = createCountingReader(database);
      const query = { from: 20_000, to: 400_000, points: 50 };
      const byHeader = await countLogs(reader, query);
      assert.equal(reader.opened, 0);
      assert.deepEqual(await countLogs(reader, { ...query, text: "message" }), byHeader);
      await forgetCounts(database);
      assert.deepEqual(await countLogs(reader, query), byHeader);
      assert.ok(totalOf(byHeader) > 500, `${totalOf(byHeader)} records`);
      assert.ok(reader.opened > 100, `${reader.opened} blocks`);
    });

    it("is counted under a filter up to a limit, reports the time it reached, and continues from there", async (t) => {
      const database = await open(t);
      // Each block overlaps the previous one.
      const blocks = Array.from({ length: 900 }, (_, index) =>
        blockOf(
          { time: index * 1_000, msg: "yes" },
          { time: index * 1_000 + 1_500, msg: index % 2 ? "no" : "yes" },
        ),
      );
      await fill(database, ...blocks);
      const reader = createCountingReader(database);
      const query = { from: 0, to: 902_000, points: 10, text: "yes" };
      const first = await countLogs(reader, query);
      assert.equal(reader.opened, 400);
      assert.equal(first.reached! % 1_000, 0);
      // Everything from there on, and nothing older.
      const left = first.reached! / 1_000;
      assert.ok(left > 490 && left < 510, `${left} seconds`);
      assert.equal(first.points[0]!.time, Math.floor(left / 120) * 120_000);
      assert.ok(Math.abs(totalOf(first) - (900 - left) * 1.5) <= 2, `${totalOf(first)} records`);

      const { points, questions } = await countAll(reader, query);
      assert.equal(questions, 3);
      assert.equal(totalOf({ points } as LogVolume), 900 + 450);
      const whole = await countAll(reader, { ...query, text: undefined as never });
      assert.equal(whole.questions, 1);
      assert.equal(totalOf({ points: whole.points } as LogVolume), 1_800);
    });

    it("is incomplete if too many blocks without counts would have to be opened", async (t) => {
      const database = await open(t);
      const blocks = Array.from({ length: 450 }, (_, index) => blockOf({ time: index * 1_000, msg: "m" }));
      await fill(database, ...blocks);
      await forgetCounts(database);
      await fill(database, blockOf({ time: 500_000, msg: "counted" }));
      const query = { from: 0, to: 501_000, points: 2_000 };
      const volume = await countLogs(createBlockReader(database), query);
      assert.equal(volume.reached, 50_000);
      assert.equal(totalOf(volume), 401);
      assert.equal(volume.points[0]!.time, 50_000);
      const { points } = await countAll(createBlockReader(database), query);
      assert.equal(totalOf({ points } as LogVolume), 451);
    });

    it("opens fewer blocks if they are large", async (t) => {
      const database = await open(t);
      const large = () => randomBytes(150_000).toString("base64");
      const blocks = Array.from({ length: 50 }, (_, index) => blockOf({ time: index * 1_000, msg: large() }));
      await fill(database, ...blocks);
      const query = { from: 0, to: 50_000, points: 50, event: "log" };
      const reader = createCountingReader(database);
      const { reached } = await countLogs(reader, query);
      assert.ok(reader.opened > 15 && reader.opened < 35, `${reader.opened} blocks`);
      assert.equal(reached, (50 - reader.opened) * 1_000);
    });

    it("passes a moment at which more blocks end than are affordable", async (t) => {
      const database = await open(t);
      const blocks = Array.from({ length: 420 }, (_, index) =>
        blockOf({ time: 1_000, msg: "m" }, { time: 5_000 + (index % 7), msg: "m" }),
      );
      await fill(database, ...blocks);
      const { points } = await countAll(createBlockReader(database), {
        from: 0,
        to: 10_000,
        points: 10,
        text: "m",
      });
      assert.deepEqual(show({ points } as LogVolume), ["1000 0/420/0/0", "5000 0/420/0/0"]);
    });

    it("counts a record once, even if blocks are merged during the count", async (t) => {
      const database = await open(t);
      const writer = writerAt(database);
      for (let second = 0; second < 60; second++)
        await writer.append(blockOf({ time: second * 1_000, msg: "m" }));
      const reader = createBlockReader(database);
      let reads = 0;
      const volume = await countLogs(
        {
          ...reader,
          async read(id) {
            if (++reads === 10) await writer.append(blockOf({ time: 60_000, msg: "m" }));
            return reader.read(id);
          },
        },
        { from: 0, to: minute, points: 60, text: "m" },
      );
      assert.deepEqual(
        volume.points.map(({ info }) => info),
        new Array(60).fill(1),
      );
      const kept = await database.tables<LogTables>().selectFrom("annex_log_blocks").select("id").execute();
      assert.equal(kept.length, 1);
    });

    it("of one trace opens the few blocks that may hold it", async (t) => {
      const database = await open(t);
      const trace = createTraceId();
      const blocks = Array.from({ length: 100 }, (_, index) =>
        blockOf({ time: index * 1_000, msg: "m", trace_id: index % 50 === 0 ? trace : createTraceId() }),
      );
      await fill(database, ...blocks);
      const reader = createCountingReader(database);
      const volume = await countLogs(reader, { from: 0, to: 100_000, points: 100, traceId: trace });
      assert.deepEqual(show(volume), ["0 0/1/0/0", "50000 0/1/0/0"]);
      assert.ok(reader.opened < 20, `${reader.opened} blocks`);
    });

    it("includes blocks written by an older release after a migration", async (t) => {
      const { migrations } = logMigrations;
      const newer = ["003-log-block-counts", "004-log-block-instance", "005-log-grams"];
      const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => !newer.includes(name)));
      const database = await openTestDatabase(t, engine, { feature: "logging", migrations: older });
      const rows: LogBlockRow[] = [];
      const table = {
        ...createBlockTable(database),
        insert: async (row: LogBlockRow) => void rows.push(row),
      };
      const writer = createBlockWriter(table, { now: () => 0 }, retention);
      await writer.append(blockOf({ time: 1_000, msg: "old", level: "WARN" }));
      const [{ counts, instance, ...row }] = rows as [LogBlockRow];
      assert.ok(counts);
      assert.equal(instance, null);
      const tables = database.tables<{ annex_log_blocks: typeof row }>();
      await tables.insertInto("annex_log_blocks").values(row).execute();
      await database.migrate([logMigrations]);
      await fill(database, blockOf({ time: 2_000, msg: "new" }));
      const reader = createCountingReader(database);
      const volume = await countLogs(reader, { from: 0, to: 3_000, points: 3 });
      assert.deepEqual(show(volume), ["1000 0/0/1/0", "2000 0/1/0/0"]);
      assert.equal(reader.opened, 1);
    });
  });
}

for (const engine of engines)
  describe(`sums of log records per hour in ${engine}`, () => {
    it("equal the number of records, whatever is added, merged and deleted meanwhile", async (t) => {
      const database = await openTestDatabase(t, engine, logMigrations);
      let state = 5;
      const below = (limit: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * limit);
      };
      const table = createBlockTable(database);
      const levels = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
      const someBlock = (): Block => {
        const begin = below(3 * day);
        const times = Array.from(
          { length: 1 + below(20) },
          () => begin + below(below(2) === 0 ? 90_000 : 5_400_000),
        );
        return blockOf(
          ...times
            .sort((one, other) => one - other)
            .map((time) => ({ time, msg: "m", level: levels[below(4)]! })),
        );
      };
      const reader = createBlockReader(database);
      let listed = 0;
      const counting: BlockReader = {
        ...reader,
        list(range, portion) {
          listed++;
          return reader.list(range, portion);
        },
      };
      const sums = createHourSums(counting);
      const count = (query: VolumeQuery) => countLogs(counting, query, sums);

      for (let round = 0; round < 8; round++) {
        for (let index = 0; index < 15; index++) {
          const writer = createBlockWriter(
            table,
            { now: () => 1_000 * round + index },
            retention,
            `web-${below(2)}`,
          );
          await writer.append(someBlock());
          if (below(3) === 0) await writer.append(someBlock());
        }
        if (round === 3) await forgetCounts(database);
        if (round > 4) await table.removeUpTo({ last_time: below(day), id: "" });
        const stored = await readRecords(database);
        for (const points of [12, 60, 120, 864]) {
          const from = below(day);
          const query = { from, to: from + day + below(2 * day), points };
          for (const extra of [{}, { level: "warn" as const }, { instance: "web-1" }]) {
            const volume = await count({ ...query, ...extra });
            const expected = stored.filter(
              ({ time, level, instance }) =>
                time >= volume.from &&
                time < volume.to &&
                (extra.level === undefined || level === "WARN" || level === "ERROR") &&
                (extra.instance === undefined || instance === extra.instance),
            );
            assert.equal(totalOf(volume), expected.length);
            for (const [index, point] of volume.points.entries()) {
              const own = expected.filter(
                ({ time }) => Math.floor((time - volume.from) / volume.stepMs) === index,
              );
              const of = (level: string) => own.filter((record) => record.level === level).length;
              const { debug, info, warn, error } = point;
              assert.deepEqual([debug, info, warn, error], levels.map(of));
            }
          }
        }
      }
      const query = { from: 0, to: 3 * day, points: 120 };
      const before = await count(query);
      listed = 0;
      assert.deepEqual(await count(query), before);
      assert.equal(listed, 0, "unchanged hours are not read again");
    });
  });

/** What the blocks contain, read without counts. */
async function readRecords(database: Database) {
  const blocks = await database
    .tables<LogTables>()
    .selectFrom("annex_log_blocks")
    .select(["body", "instance"])
    .execute();
  return blocks.flatMap(({ body, instance }) =>
    zstdDecompressSync(body)
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { time: string; level: string })
      .map(({ time, level }) => ({ time: Date.parse(time), level, instance })),
  );
}
