import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VarintReader, VarintWriter } from "../../../lib/varints.ts";
import { Histogram } from "./histogram.ts";

/** Numbers that look random and are the same on every run. */
function createRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const shares = [0, 0.5, 0.95, 0.99, 0.999, 1];

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return histogram;
}

function exactPercentiles(values: readonly number[]): number[] {
  const sorted = [...values].sort((one, other) => one - other);
  return shares.map((share) => sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]!);
}

function assertClose(found: readonly number[] | undefined, exact: readonly number[]): void {
  for (const [index, value] of exact.entries()) {
    const error = Math.abs(found![index]! / value - 1);
    assert.ok(error <= 0.02, `${shares[index]}: ${found![index]} for ${value}, off by ${error}`);
  }
}

const random = createRandom();
const distributions: Record<string, number[]> = {
  "spread evenly over every order of magnitude": Array.from({ length: 20_000 }, () => 10 ** (random() * 9)),
  "a bell with a long tail": Array.from(
    { length: 20_000 },
    () => Math.exp(8 + random() + random() + random() - 1.5) * (random() < 0.02 ? 40 : 1),
  ),
  "two peaks": Array.from({ length: 5_000 }, (_, index) => (index % 3 ? 800 : 95_000) * (1 + random() / 20)),
  "one value": [1_234_567],
  "powers of two and their neighbours": Array.from({ length: 31 }, (_, power) => [
    2 ** power,
    2 ** power * 1.0001,
    2 ** (power + 1) * 0.9999,
  ]).flat(),
};

describe("a histogram", () => {
  for (const [name, values] of Object.entries(distributions)) {
    it(`returns percentiles within two percent: ${name}`, () => {
      assertClose(histogramOf(values).percentiles(shares), exactPercentiles(values));
    });
  }

  it("is never off by more than two percent, for any value", () => {
    for (let value = 1; value < 3.6e9; value *= 1.0007) {
      const [found] = histogramOf([value]).percentiles([0.5])!;
      assert.ok(Math.abs(found! / value - 1) <= 0.02, `${found} for ${value}`);
    }
  });

  it("returns the same whether it was merged or counted in one", () => {
    const values = distributions["a bell with a long tail"]!;
    const merged = new Histogram();
    for (let part = 0; part < 7; part++) {
      merged.merge(histogramOf(values.filter((_, index) => index % 7 === part)));
    }
    assert.deepEqual(merged.percentiles(shares), histogramOf(values).percentiles(shares));
    assert.equal(merged.total(), values.length);
  });

  it("comes back as it was written", () => {
    const original = histogramOf(distributions["spread evenly over every order of magnitude"]!);
    const writer = new VarintWriter(4);
    original.write(writer);
    original.write(writer);
    const reader = new VarintReader(writer.take());
    const copy = new Histogram();
    copy.read(reader);
    assert.deepEqual(copy.percentiles(shares), original.percentiles(shares));
    copy.read(reader);
    assert.equal(copy.total(), 2 * original.total());
    assert.ok(reader.isAtEnd);
  });

  it("knows how many lie below a power of two", () => {
    const values = distributions["powers of two and their neighbours"]!;
    for (const power of [0, 1, 9, 10, 30, 32]) {
      assert.equal(histogramOf(values).below(power), values.filter((value) => value < 2 ** power).length);
    }
  });

  it("takes what no clock should give for the shortest or the longest there is", () => {
    const histogram = histogramOf([0, -5, Number.NaN, 1e300, Number.POSITIVE_INFINITY]);
    assert.equal(histogram.total(), 5);
    assert.equal(histogram.below(1), 3);
  });

  it("counts beyond what fits into 32 bits", () => {
    const histogram = histogramOf([5, 5, 5]);
    for (let doubling = 0; doubling < 32; doubling++) {
      const writer = new VarintWriter();
      histogram.write(writer);
      histogram.read(new VarintReader(writer.take()));
    }
    assert.equal(histogram.total(), 3 * 2 ** 32);
  });

  it("has no percentiles while it is empty, and after it was cleared", () => {
    const histogram = histogramOf([5]);
    histogram.clear();
    assert.equal(histogram.percentiles([0.5]), undefined);
    assert.equal(new Histogram().percentiles([0.5]), undefined);
  });

  it("refuses what is damaged", () => {
    const writer = new VarintWriter();
    writer.number(1);
    writer.number(5_000);
    writer.number(1);
    assert.throws(() => new Histogram().read(new VarintReader(writer.take())), RangeError);
    assert.throws(() => new Histogram().read(new VarintReader(Uint8Array.of(3, 200))), RangeError);
  });
});

describe("varints", () => {
  it("come back, however large", () => {
    const values = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 40 + 5, 2 ** 53 - 1];
    const writer = new VarintWriter(1);
    for (const value of values) writer.number(value);
    const reader = new VarintReader(writer.take());
    assert.deepEqual(
      values.map(() => reader.number()),
      values,
    );
    assert.ok(reader.isAtEnd);
  });

  it("can hold pieces, which are read or passed over", () => {
    const writer = new VarintWriter(1);
    writer.number(300);
    writer.single(0.5);
    const inner = writer.take();
    writer.piece(inner);
    writer.number(7);
    const bytes = writer.take();
    const reader = new VarintReader(bytes);
    reader.skipPiece();
    assert.deepEqual([reader.number(), reader.isAtEnd], [7, true]);
    const again = new VarintReader(bytes);
    assert.deepEqual([again.number(), again.number(), again.single()], [inner.length, 300, 0.5]);
    assert.throws(() => new VarintReader(Uint8Array.of(5, 1)).skipPiece(), RangeError);
  });
});
