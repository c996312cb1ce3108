import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { appendLines, noLines, type OutputLine, parseOutput, toText } from "./output-lines.ts";

function lines(from: number, to: number): OutputLine[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    number: from + index,
    level: "info",
    message: `line ${from + index}`,
  }));
}

describe("the lines of an output", () => {
  it("does not change full pieces", () => {
    const before = appendLines(noLines, lines(1, 150));
    const after = appendLines(before, lines(151, 260));
    assert.deepEqual(
      after.pieces.map((piece) => piece.lines.length),
      [100, 100, 60],
    );
    assert.equal(after.pieces[0], before.pieces[0]);
    assert.notEqual(after.pieces[1], before.pieces[1]);
  });

  it("ignores duplicate lines after a reconnect", () => {
    const before = appendLines(noLines, lines(1, 5));
    assert.equal(appendLines(before, lines(2, 5)), before);
    const after = appendLines(before, lines(4, 7));
    assert.deepEqual(
      after.pieces[0]!.lines.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7],
    );
  });

  it("keeps the newest 5,000 lines, and counts the dropped ones", () => {
    let all = noLines;
    for (let from = 1; from <= 12_000; from += 60) all = appendLines(all, lines(from, from + 59));
    const count = all.pieces.reduce((sum, piece) => sum + piece.lines.length, 0);
    assert.deepEqual([count, all.dropped, all.pieces.at(-1)!.lines.at(-1)!.number], [5_000, 7_000, 12_000]);
  });

  it("parses stored output, even if it is not a list", () => {
    assert.equal(
      toText(appendLines(noLines, parseOutput('[{"level":"warn","message":"a\\nb"}]'))),
      "warn     a\nb\n",
    );
    assert.deepEqual(parseOutput("odd"), [{ number: 1, level: "info", message: "odd" }]);
  });
});
