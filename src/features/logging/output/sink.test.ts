import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Block, type Destination, Sink } from "./sink.ts";

/** A destination that finishes writes on request. */
function slowDestination(): Destination & { taken: string[]; finish(): void } {
  const waiting: (() => void)[] = [];
  const taken: string[] = [];
  return {
    taken,
    finish() {
      for (const release of waiting.splice(0)) release();
    },
    write(bytes, release) {
      taken.push(bytes.toString());
      waiting.push(release);
    },
    writeSync: (bytes) => void taken.push(bytes.toString()),
    flush: async () => {},
    close: async () => {},
  };
}

describe("the sink", () => {
  it("hands lines over in order, regardless of their writer", async () => {
    const destination = slowDestination();
    const sink = new Sink({ destination });
    sink.write("one\n", -4, 1);
    sink.write("zwei ü\n", 0, 2);
    sink.write("three\n", -4, 3);
    await sink.flush();
    assert.deepEqual(destination.taken, ["one\nzwei ü\nthree\n"]);
  });

  it("describes each block: how many, from when to when, how severe", async () => {
    const blocks: Omit<Block, "bytes">[] = [];
    const sink = new Sink({ destination: slowDestination() });
    sink.onBlock = ({ bytes, ...rest }) => void blocks.push(rest);
    sink.write("a\n", -4, 10);
    sink.write("b\n", 8, 11);
    sink.write("c\n", 0, 12);
    await sink.flush();
    sink.write("d\n", -4, 20);
    await sink.flush();
    await sink.flush();
    assert.deepEqual(blocks, [
      { count: 3, firstTime: 10, lastTime: 12, maxLevel: 8 },
      { count: 1, firstTime: 20, lastTime: 20, maxLevel: -4 },
    ]);
  });

  it("reports the earliest and latest time of a block even if the clock is set back", async () => {
    const times: [number, number][] = [];
    const sink = new Sink({ destination: slowDestination() });
    sink.onBlock = ({ firstTime, lastTime }) => void times.push([firstTime, lastTime]);
    for (const time of [10, 12, 5, 7]) sink.write("a\n", 0, time);
    await sink.flush();
    sink.write("b\n", 0, 6);
    await sink.flush();
    assert.deepEqual(times, [
      [5, 12],
      [6, 6],
    ]);
  });

  it("hands over a full buffer automatically and loses nothing while the destination keeps up", () => {
    const destination = slowDestination();
    const sink = new Sink({ destination });
    const line = `${"x".repeat(999)}\n`;
    for (let count = 0; count < 2_000; count++) {
      sink.write(line, -4, count);
      destination.finish();
    }
    sink.flushSync();
    assert.equal(destination.taken.join("").length, 2_000_000);
    assert.equal(sink.dropped, 0);
  });

  it("drops and counts records while the destination is blocked, and then continues", async () => {
    const destination = slowDestination();
    const sink = new Sink({ destination });
    const line = `${"x".repeat(999)}\n`;
    for (let count = 0; count < 20_000; count++) sink.write(line, -4, count);
    await sink.flush();
    const kept = destination.taken.join("").length / 1_000;
    assert.ok(sink.dropped > 0);
    assert.equal(kept + sink.dropped, 20_000);
    destination.finish();
    sink.write("again\n", -4, 0);
    await sink.flush();
    assert.equal(destination.taken.at(-1), "again\n");
  });

  it("hands over automatically within its delay", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const destination = slowDestination();
    const sink = new Sink({ destination, maxDelayMs: 250 });
    sink.write("soon\n", -4, 0);
    t.mock.timers.tick(249);
    assert.deepEqual(destination.taken, []);
    t.mock.timers.tick(1);
    assert.deepEqual(destination.taken, ["soon\n"]);
  });

  it("drops a line larger than a buffer instead of truncating it", async () => {
    const destination = slowDestination();
    const sink = new Sink({ destination });
    sink.write("x".repeat(600_000), -4, 0);
    sink.write("fine\n", -4, 0);
    await sink.flush();
    assert.deepEqual(destination.taken, ["fine\n"]);
    assert.equal(sink.dropped, 1);
  });
});
