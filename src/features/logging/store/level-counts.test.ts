import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Block } from "../output/sink.ts";
import { createLogBlock, type TestLine } from "../testing/log-block.ts";
import { createMemoryLogging } from "../testing/memory-logging.ts";
import { createRequestBlock } from "../testing/request-block.ts";
import { createLevelCounts, readSeconds, readTotals } from "./level-counts.ts";

const countBlock = (block: Block) => createLevelCounts(block, block.bytes.toString("latin1"));

function secondsOf(bytes: Uint8Array): [time: number, counts: readonly number[]][] {
  const seconds: [number, readonly number[]][] = [];
  readSeconds(bytes, (time, counts) => seconds.push([time, counts]));
  return seconds;
}

describe("the counts of a block", () => {
  it("are those of each level, in all and in each second", () => {
    const start = Date.parse("2026-03-01T12:59:59Z");
    const bytes = countBlock(
      createLogBlock(
        { time: start, msg: "a", level: "DEBUG" },
        { time: start + 999, msg: '"level":"ERROR"', level: "INFO" },
        { time: start + 1_000, msg: "c", level: "WARN" },
        { time: start + 1_001, msg: "ü", level: "ERROR", time_: '"time":"2020' },
        { time: start + 3_601_000, msg: "an hour later", level: "ERROR" },
      ),
    )!;
    assert.deepEqual(readTotals(bytes), [1, 1, 1, 2]);
    assert.deepEqual(secondsOf(bytes), [
      [start, [1, 1, 0, 0]],
      [start + 1_000, [0, 0, 1, 1]],
      [start + 3_601_000, [0, 0, 0, 1]],
    ]);
  });

  it("are correct for real lines, regardless of the field order", async () => {
    const { logging, records } = createMemoryLogging();
    logging.logger.info("one");
    logging.logger.error("two", { level: "DEBUG", deep: { time: "never" } });
    logging.logger.warn("three");
    const requests = await createRequestBlock({ path: "/a" }, { path: "/b" });
    const lines = (await records()).map((record) => `${JSON.stringify(record)}\n`).join("");
    const bytes = Buffer.concat([requests.bytes, Buffer.from(lines)]);
    const counts = countBlock({ ...requests, bytes, maxLevel: 8 })!;
    assert.deepEqual(readTotals(counts), [2, 1, 1, 1]);
    await logging.close();
  });

  it("are the same with and without the fast path for requests", async () => {
    const block = await createRequestBlock({}, {}, {});
    const first = Math.floor(block.firstTime / 1_000) * 1_000;
    const short = { ...block, firstTime: first, lastTime: first + 999 };
    const counts = countBlock(short)!;
    assert.deepEqual(secondsOf(counts), [[first, [3, 0, 0, 0]]]);
    assert.deepEqual(readTotals(countBlock({ ...block, maxLevel: 0 })!), readTotals(counts));
  });

  it("are ordered and summed even if the clock was set back", () => {
    const lines: TestLine[] = [5_000, 5_500, 2_000, 5_100].map((time) => ({ time, msg: "m" }));
    assert.deepEqual(secondsOf(countBlock(createLogBlock(...lines))!), [
      [2_000, [0, 1, 0, 0]],
      [5_000, [0, 3, 0, 0]],
    ]);
  });

  it("are not stored if they are too long for an index entry", () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ time: index * 1_000, msg: "m" }));
    assert.equal(countBlock(createLogBlock(...lines(100)))!.length < 800, true);
    assert.equal(countBlock(createLogBlock(...lines(400))), null);
  });
});
