import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, statfsSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import type { Block } from "../src/features/logging/output/sink.ts";
import { createBlockWriter } from "../src/features/logging/store/block-writer.ts";
import { createBlockTable, logFile, logMigrations } from "../src/features/logging/store/blocks.ts";
import { createWriterService } from "../src/features/logging/store/writer-service.ts";
import { until } from "../src/lib/testing/until.ts";
import { systemClock } from "../src/lib/time/clock.ts";
import { type Database, keepReserve, openDatabase } from "../src/storage/index.ts";
import { startSource } from "./support/program.ts";
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
      fillDisk(folder);
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
    // After a restart, the space of the reserve.
    assert.ok(before < 9 * megabyte, `${before} bytes are free`);
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

describe("a start on a full disk", () => {
  const start = (t: TestContext, dataDir: string) =>
    startSource(
      t,
      `const app = annex.createApp({ port: 0, dev: false });
      const { url } = await app.start();
      process.stderr.write("up at " + url + "\\n");`,
      { env: { SVC_DATA_DIR: dataDir, SVC_LOG_FORMAT: "json" } },
    );

  /** The data folder of an application that has stopped, on a disk that is full. */
  async function prepare(
    t: TestContext,
    size: string,
  ): Promise<{ folder: string; fill: string } | undefined> {
    const folder = mountSmallDisk(t, size);
    if (!folder) return undefined;
    const program = start(t, folder);
    await program.says(/up at/);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    // The server does this after a minute.
    keepReserve(folder);
    return { folder, fill: fillDisk(folder) };
  }

  const warning = /The disk is full\. The start used the space of annex\.reserve/g;

  it("uses the space of the reserve, says so once, and the server works", { timeout: 300_000 }, async (t) => {
    const prepared = await prepare(t, "48m");
    if (!prepared) return t.skip("only root can mount a disk");
    const { folder, fill } = prepared;
    const reserve = join(folder, "annex.reserve");
    assert.ok(existsSync(reserve));
    assert.equal(freeOn(folder), 0);
    const program = start(t, folder);
    const [, url] = await program.says(/up at (http:\S+)/);
    assert.ok(!existsSync(reserve));
    assert.equal((await fetch(`${url}/api/health/ready`)).status, 200);
    unlinkSync(fill);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    assert.equal(program.stdout.match(warning)?.length, 1, program.stdout);
    assert.doesNotMatch(program.stdout, /"level":"ERROR"/);
  });

  it("fails with one sentence without a reserve", { timeout: 300_000 }, async (t) => {
    const prepared = await prepare(t, "30m");
    if (!prepared) return t.skip("only root can mount a disk");
    const program = start(t, prepared.folder);
    const [code] = await program.ended;
    assert.notEqual(code, 0);
    assert.match(
      program.stderr,
      /^annex: The data folder .* cannot be used: the disk is full\. Free some space and start again\.\n$/,
    );
  });
});
