import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createTemporaryFolder } from "../../../../lib/testing/temporary-folder.ts";
import { openDatabase } from "../../../../storage/index.ts";
import type { Block } from "../../output/sink.ts";
import { createLogBlock, type TestLine } from "../../testing/log-block.ts";
import { createRequestBlock } from "../../testing/request-block.ts";
import { createBlockWriter } from "../block-writer.ts";
import {
  createBlockReader,
  createBlockTable,
  type LogBlockRow,
  type LogTables,
  logMigrations,
} from "../blocks.ts";
import type { LogQuery } from "../search/query.ts";
import { searchLogs } from "../search/search.ts";
import { createGramFilter, gramsOf, mayHoldGrams } from "./gram-filter.ts";

/** The same sequence in each run, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: <Item>(items: readonly Item[] | string): Item => items[below(items.length)] as Item };
}

type Random = ReturnType<typeof createRandom>;

/** With letters that change their length or become ASCII in lower case, escapes, and halves of characters. */
const letters = [...'abkiKIsSzZ019 ./-_:"\\{}\n\t\u0007µäÄßẞİıKΣς€😀\ud800\u2028\x7f'];

const someText = (random: Random, longest: number) =>
  Array.from({ length: random.below(longest) }, () => random.pick(letters)).join("");

function someLine(random: Random, time: number): TestLine {
  return {
    time,
    msg: `Paid ${someText(random, 30)}`,
    [someText(random, 4) || "field"]: random.pick<unknown>([
      random.below(1e9),
      true,
      null,
      someText(random, 12),
    ]),
    nested: { [`Key${random.below(9)}`]: [someText(random, 8), random.below(100) / 7] },
  };
}

async function someBlocks(random: Random): Promise<Block[]> {
  const blocks = Array.from({ length: 30 }, (_, block) =>
    createLogBlock(
      ...Array.from({ length: 1 + random.below(12) }, (_, line) => someLine(random, block * 1_000 + line)),
    ),
  );
  const paths = Array.from({ length: 20 }, () => `/${someText(random, 20)}`);
  return [
    ...blocks,
    ...(await Promise.all(
      paths.map((path) => createRequestBlock({ path, userAgent: someText(random, 20) })),
    )),
  ];
}

/** A part of a record or of its line, in some case, so that most queries find something. */
function someQuery(random: Random, lines: readonly string[]): LogQuery {
  const line = random.pick(lines);
  const record = JSON.parse(line) as Record<string, unknown>;
  const [field, value] = random.pick(Object.entries(record));
  const whole = String(random.pick([line, field, value, record.msg, record.path ?? record.msg]));
  const start = random.below(whole.length);
  const part = whole.slice(start, start + 1 + random.below(10));
  return random.pick<LogQuery>([
    { text: part },
    { text: part.toUpperCase() },
    { text: part.toLowerCase() },
    { text: someText(random, 6) || "absent" },
    { where: [{ field, value: typeof value === "object" ? JSON.stringify(value) : (value as string) }] },
    { path: String(record.path ?? part) },
    { event: String(record.event) },
    { status: 200, text: part },
  ]);
}

const retention = { maxAgeMs: 1e15, maxBytes: 1e12 };

async function openStore(t: TestContext) {
  const dataDir = createTemporaryFolder();
  const database = await openDatabase({ dataDir, file: "logs.db" });
  t.after(() => database.close());
  await database.migrate([logMigrations]);
  return database;
}

describe("the filter over texts", () => {
  it("never excludes a record that a search without it finds", { timeout: 300_000 }, async (t) => {
    const random = createRandom(41);
    const database = await openStore(t);
    const tables = database.tables<LogTables>();
    const table = createBlockTable(database);
    const blocks = await someBlocks(random);
    for (const block of blocks) {
      // Small blocks have no filter, because they are about to be merged. Here, each gets one.
      const insert = (row: LogBlockRow) => table.insert(row, createGramFilter(block.bytes));
      await createBlockWriter({ ...table, insert }, { now: () => 0 }, retention).append(block);
    }
    const reader = createBlockReader(database);
    const lines = blocks.flatMap(({ bytes }) => bytes.toString().trimEnd().split("\n"));
    const queries = Array.from({ length: 250 }, () => ({ ...someQuery(random, lines), limit: 1_000 }));
    const find = async () => {
      const found = [];
      for (const query of queries) found.push((await searchLogs(reader, query)).items);
      return found;
    };
    const filtered = await find();
    await tables.deleteFrom("annex_log_grams").execute();
    const unfiltered = await find();
    for (const [index, query] of queries.entries())
      assert.deepEqual(filtered[index], unfiltered[index], JSON.stringify(query));
    const hits = unfiltered.filter((items) => items.length > 0).length;
    assert.ok(hits > 125 && hits < 250, `${hits} queries found something`);
  });

  it("excludes nearly all blocks without the text, for a few bytes per record", async () => {
    const random = createRandom(7);
    const filters = [];
    for (let block = 0; block < 100; block++) {
      const requests = Array.from({ length: 150 }, () => ({
        path: `/api/v1/things-${random.below(200)}/${random.below(1e6)}`,
        durationMs: random.below(2_000) / 100,
      }));
      filters.push(createGramFilter((await createRequestBlock(...requests)).bytes));
    }
    const bytes = filters.reduce((sum, { length }) => sum + length, 0) / filters.length / 150;
    assert.ok(bytes < 10, `${bytes} bytes per record`);
    for (const [text, most] of [
      ["nightly-report", 3],
      ["connection refused", 3],
      ["198.51.100.77", 15],
      ["invoice", 15],
    ] as const) {
      const opened = filters.filter((filter) => mayHoldGrams(filter, gramsOf([text]))).length;
      assert.ok(opened <= most, `${text}: ${opened} of 100 blocks`);
    }
  });
});
