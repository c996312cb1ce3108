import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, statfsSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { sql } from "kysely";
import type { Block } from "../src/features/logging/output/sink.ts";
import { createBlockWriter } from "../src/features/logging/store/block-writer.ts";
import { createBlockTable, logFile, logMigrations } from "../src/features/logging/store/blocks.ts";
import { createWriterService } from "../src/features/logging/store/writer-service.ts";
import { until } from "../src/lib/testing/until.ts";
import { systemClock } from "../src/lib/time/clock.ts";
import { type Database, keepReserve, openDatabase } from "../src/storage/index.ts";
import { fillDisk, mountSmallDisk } from "./support/small-disk.ts";

const megabyte = 1_000_000;

const freeOn = (folder: string) => statfsSync(folder).bavail * statfsSync(folder).bsize;

async function openLogs(dataDir: string): Promise<Database> {
  const database = await openDatabase({ dataDir, file: logFile, durability: "normal" });
  await database.migrate([logMigrations]);
  return database;
}

/** Random, so that it cannot be compressed. */
function createBlock(time: number): Block {
  const bytes = Buffer.from(`{"msg":"${randomBytes(70_000).toString("base64")}"}\n`);
  return { bytes, count: 1, firstTime: time, lastTime: time, maxLevel: 30 };
}

/** Writes log records until the disk is full, or `most` megabytes are stored. */
async function fillLogs(database: Database, most = Number.POSITIVE_INFINITY): Promise<void> {
  const writer = createBlockWriter(createBlockTable(database), systemClock, {
    maxAgeMs: 1e12,
    maxBytes: 1e12,
  });
  const append = async () => {
    for (let bytes = 0; bytes < most * megabyte; bytes += 70_000)
      await writer.append(createBlock(Date.now() + bytes / 70_000));
  };
  if (Number.isFinite(most)) await append();
  else await assert.rejects(append, /no disk space/);
}

/** Starts the thread's service with a lower limit, as after a restart or a change. */
async function lowerLimit(t: TestContext, database: Database, dataDir: string): Promise<void> {
  const problems: (string | undefined)[] = [];
  const service = createWriterService({
    connection: database,
    database: { dataDir, file: logFile },
    retention: { maxAgeMs: 1e12, maxBytes: megabyte },
    report: (problem) => problems.push(problem),
  });
  t.after(() => service.close?.());
  const stored = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(size), 0) as bytes from annex_log_blocks`.execute(database.tables());
    return rows[0]!.bytes;
  };
  await until("the excess is deleted", stored, (bytes) => bytes <= megabyte);
  assert.deepEqual(problems, []);
}

async function releaseAll(database: Database): Promise<void> {
  while (await database.release());
}

for (const [how, prepare] of [
  ["the records themselves have filled", (database: Database) => fillLogs(database)],
  [
    "another program has filled",
    async (database: Database, folder: string) => {
      await fillLogs(database, 15);
      fillDisk(folder);
    },
  ],
  [
    "was filled before a restart",
    async (database: Database, folder: string) => {
      await fillLogs(database, 15);
      await database.close();
      const fill = fillDisk(folder);
      // A start needs a little space.
      truncateSync(fill, statSync(fill).size - 500_000);
      return openLogs(folder);
    },
  ],
] as const) {
  it(`lowering a limit frees a disk that ${how}`, { timeout: 300_000 }, async (t) => {
    const folder = mountSmallDisk(t, "48m");
    if (!folder) return t.skip("only root can mount a disk");
    keepReserve(folder);
    const opened = await openLogs(folder);
    const database = (await prepare(opened, folder)) ?? opened;
    const before = freeOn(folder);
    assert.ok(before < megabyte, `${before} bytes are free`);
    await lowerLimit(t, database, folder);
    await releaseAll(database);
    const after = freeOn(folder);
    assert.ok(after > 12 * megabyte, `${after} bytes are free`);
  });
}

it("the reserve is created when there is enough space, and only then", (t) => {
  const small = mountSmallDisk(t, "20m");
  if (!small) return t.skip("only root can mount a disk");
  keepReserve(small);
  assert.deepEqual(readdirSync(small), []);
  const large = mountSmallDisk(t, "48m")!;
  keepReserve(large);
  assert.ok(existsSync(join(large, "annex.reserve")));
  assert.ok(freeOn(large) < 44 * megabyte);
});
