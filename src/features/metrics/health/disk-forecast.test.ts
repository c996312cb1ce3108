import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "../testing/traffic.ts";
import { forecastDisk } from "./disk-forecast.ts";

const size = 100e9;
/** Available space per hour on a disk of 100 GB. */
const forecast = (available: readonly (number | null)[], total: readonly (number | null)[] = []) =>
  forecastDisk({
    available,
    total: available.map((left, hour) => total[hour] ?? (left === null ? null : size)),
  });
const hours = (count: number, left: (hour: number) => number) =>
  Array.from({ length: count }, (_, hour) => left(hour));

describe("the forecast for a disk", () => {
  it("follows a steady growth", () => {
    const found = forecast(hours(168, (hour) => 50e9 - hour * 1e8));
    assert.equal(found.growthPerDay, 2.4e9);
    assert.ok(Math.abs(found.daysToFull! - (50e9 - 167e8) / 2.4e9) < 1e-6);
  });

  it("ignores daily fluctuations", () => {
    const random = createRandom();
    const found = forecast(hours(168, (hour) => 50e9 - hour * 1e8 + (hour % 24) * 2e8 + random() * 1e8));
    assert.ok(Math.abs(found.growthPerDay! / 2.4e9 - 1) < 0.1, `${found.growthPerDay}`);
  });

  for (const [what, available] of [
    ["nothing", []],
    ["a disk that could not be measured", hours(168, () => 0).map(() => null)],
    ["a day less an hour", hours(24, (hour) => 50e9 - hour * 1e8)],
    [
      "eleven hours of a week",
      hours(168, (hour) => 50e9 - hour * 1e8).map((left, hour) => (hour % 16 ? null : left)),
    ],
    ["a disk that stays as it is", hours(168, () => 50e9)],
    ["a disk that becomes emptier", hours(168, (hour) => 50e9 + hour * 1e8)],
  ] as const) {
    it(`says nothing about ${what}`, () => assert.deepEqual(forecast(available), {}));
  }

  it("returns the growth, but no date more than ten years ahead", () => {
    assert.deepEqual(forecast(hours(168, (hour) => 50e9 - hour * 1e3)), { growthPerDay: 24_000 });
  });

  it("starts again when the disk is enlarged", () => {
    const available = hours(168, (hour) => (hour < 100 ? 5e9 - hour * 1e7 : 105e9 - hour * 1e8));
    const total = hours(168, (hour) => (hour < 100 ? size : 2 * size));
    assert.equal(forecast(available, total).growthPerDay, 2.4e9);
    const soon = forecast(available.slice(0, 110), total.slice(0, 110));
    assert.deepEqual(soon, {}, "ten hours are too few");
  });
});
