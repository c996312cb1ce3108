import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cron as Croner } from "croner";
import { nextTicks } from "./calendar.ts";
import { parseSchedule } from "./schedule.ts";
import { parseTimezone } from "./timezone.ts";

const utc = parseTimezone("UTC");
const show = (time: number) => new Date(time).toISOString().slice(0, 16);
const next = (expression: string, count = 3, after = "2026-03-07T12:00Z") =>
  nextTicks(parseSchedule(expression), utc, Date.parse(after), count).map(show);

describe("a schedule", () => {
  const accepted: [expression: string, ...times: string[]][] = [
    ["* * * * *", "2026-03-07T12:01", "2026-03-07T12:02", "2026-03-07T12:03"],
    ["*/20 * * * *", "2026-03-07T12:20", "2026-03-07T12:40", "2026-03-07T13:00"],
    ["5-15/5 8,20 * * *", "2026-03-07T20:05", "2026-03-07T20:10", "2026-03-07T20:15"],
    ["0 0 1 JAN *", "2027-01-01T00:00", "2028-01-01T00:00", "2029-01-01T00:00"],
    ["0 9 * * mon-Fri", "2026-03-09T09:00", "2026-03-10T09:00", "2026-03-11T09:00"],
    ["0 9 * * FRI-SUN", "2026-03-08T09:00", "2026-03-13T09:00", "2026-03-14T09:00"],
    ["0 9 * * SUN-SUN", "2026-03-08T09:00", "2026-03-15T09:00", "2026-03-22T09:00"],
    ["0 0 * * 7", "2026-03-08T00:00", "2026-03-15T00:00", "2026-03-22T00:00"],
    ["0 0 * * 0", "2026-03-08T00:00", "2026-03-15T00:00", "2026-03-22T00:00"],
    ["0 0 * * 5-7", "2026-03-08T00:00", "2026-03-13T00:00", "2026-03-14T00:00"],
    ["0 0 * * */2", "2026-03-08T00:00", "2026-03-10T00:00", "2026-03-12T00:00"],
    ["0 0 13 * 5", "2026-03-13T00:00", "2026-03-20T00:00", "2026-03-27T00:00"],
    ["0 0 1,15 * 3", "2026-03-11T00:00", "2026-03-15T00:00", "2026-03-18T00:00"],
    ["0 0 30 2 1", "2027-02-01T00:00", "2027-02-08T00:00", "2027-02-15T00:00"],
    ["0 0 29 2 *", "2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"],
    ["59 23 31 12 *", "2026-12-31T23:59", "2027-12-31T23:59", "2028-12-31T23:59"],
    ["0 */24 * * *", "2026-03-08T00:00", "2026-03-09T00:00", "2026-03-10T00:00"],
    ["  0   0  1 * *  ", "2026-04-01T00:00", "2026-05-01T00:00", "2026-06-01T00:00"],
    ["1,1,1-2 12 7 3 *", "2026-03-07T12:01", "2026-03-07T12:02", "2027-03-07T12:01"],
  ];
  for (const [expression, ...times] of accepted) {
    it(`"${expression}"`, () => assert.deepEqual(next(expression), times));
  }

  it("keeps its text with single spaces", () => {
    assert.equal(parseSchedule(" 0  12 *  * mon ").expression, "0 12 * * mon");
  });

  it("finds 29 February across a century without one", () => {
    assert.deepEqual(next("0 0 29 2 *", 2, "2096-02-29T00:00Z"), ["2104-02-29T00:00", "2108-02-29T00:00"]);
  });

  const refused: [expression: string, problem: RegExp][] = [
    ["", /the expression is empty.*minute, hour, day of month, month, day of week/],
    ["   ", /the expression is empty/],
    ["* * * *", /field 5 \(day of week\) is missing at position 8/],
    ["* * * * * *", /unexpected sixth field at position 11/],
    ["0 * * * * *", /unexpected sixth field at position 11/],
    ["@daily", /@daily are not supported; use 0 0 \* \* \* instead/],
    ["2026-01-01T00:00:00Z", /field 2 \(hour\) is missing/],
    ["*\t*\t*\t*\t*", /tab or line break at position 2; .* separated by spaces/],
    ["60 * * * *", /minute \(field 1, position 1\): "60" is not a valid value; allowed: 0-59/],
    ["0 24 * * *", /hour \(field 2, position 3\): "24"/],
    ["0 0 0 * *", /day of month \(field 3, position 5\): "0"/],
    ["0 0 32 * *", /day of month \(field 3, position 5\): "32"/],
    ["0 0 1 13 *", /month \(field 4, position 7\): "13".*JAN-DEC/],
    ["0 0 * * 8", /day of week \(field 5, position 9\): "8".*SUN-SAT/],
    ["0 0 * FOO *", /month \(field 4, position 7\): "FOO"/],
    ["0 0 JAN * *", /day of month \(field 3, position 5\): "JAN"/],
    ["0,15,61 * * * *", /minute \(field 1, position 6\): "61"/],
    ["0,,5 * * * *", /minute \(field 1, position 3\): a value is missing/],
    ["5, * * * *", /minute \(field 1, position 3\): a value is missing/],
    ["10-5 * * * *", /the range "10-5" ends before it begins/],
    ["5- * * * *", /position 3\): "" is not a valid value/],
    ["1-2-3 * * * *", /"1-2-3" is not a valid range/],
    ["5/10 * * * *", /position 2\): a step needs \* or a range before it/],
    ["*/0 * * * *", /position 3\): "0" is not a valid step; allowed: 1-60/],
    ["*/61 * * * *", /"61" is not a valid step/],
    ["*/1/2 * * * *", /only one step is allowed/],
    ["*/x * * * *", /"x" is not a valid step/],
    ["0 0 31 2 *", /day of month \(field 3, position 5\).*would never run/],
    ["0 0 30 FEB *", /never run/],
    ["0 0 31 4,6,9,11 *", /never run/],
    ["? ? * * *", /"\?" is not a valid value/],
    ["0 0 L * *", /"L" is not a valid value/],
    ["-1 * * * *", /"-1" is not a valid value/],
    ["1.5 * * * *", /"1\.5" is not a valid value/],
    ["٣ * * * *", /is not a valid value/],
    ["*".repeat(300), /at most 256 characters/],
  ];
  for (const [expression, message] of refused) {
    it(`not "${expression.slice(0, 30)}"`, () => {
      assert.throws(() => parseSchedule(expression), { code: "INVALID_SCHEDULE", status: 400, message });
    });
  }

  it("not a value other than a string", () => {
    for (const value of [undefined, null, 5, {}, ["* * * * *"]]) {
      assert.throws(() => parseSchedule(value as string), { code: "INVALID_SCHEDULE" });
    }
  });

  it("means the same to croner, in a thousand cases", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const field = (least: number, most: number) => {
      const value = () => least + random(most - least + 1);
      const [one, other] = [value(), value()].sort((a, b) => a - b) as [number, number];
      const choices = ["*", "*", `*/${1 + random(most)}`, `${one}`, `${one}-${other}`, `${one},${other}`];
      return [...choices, `${one}-${other}/${1 + random(5)}`][random(choices.length + 1)]!;
    };
    let compared = 0;
    for (let index = 0; index < 1_000; index++) {
      const limits = [
        [0, 59],
        [0, 23],
        [1, 28],
        [1, 12],
        [0, 6],
      ] as const;
      const expression = limits.map(([least, most]) => field(least, most)).join(" ");
      const after = Date.UTC(2024 + random(8), random(12), 1 + random(28), random(24), random(60));
      const croner = new Croner(expression, { utcOffset: 0, paused: true, mode: "5-part" });
      const theirs = croner.nextRuns(5, new Date(after)).map((date) => show(date.getTime()));
      const ours = nextTicks(parseSchedule(expression), utc, after, 5).map(show);
      assert.deepEqual(ours, theirs, `${expression} after ${show(after)}`);
      compared++;
    }
    assert.equal(compared, 1_000);
  });
});

describe("a timezone", () => {
  it("is found by its name in any case, and an older name stays as it is", () => {
    assert.equal(parseTimezone("europe/berlin").name, "Europe/Berlin");
    assert.equal(parseTimezone("Europe/Berlin"), parseTimezone("europe/BERLIN"));
    assert.equal(parseTimezone("US/Eastern").name, "US/Eastern");
    assert.equal(parseTimezone("UTC").name, "UTC");
  });

  it("is nothing else", () => {
    for (const name of [
      undefined,
      null,
      5,
      "",
      " ",
      "Mars/Olympus",
      "+01:00",
      "Europe/Berlin ",
      "../etc",
      {},
    ]) {
      assert.throws(() => parseTimezone(name), { code: "INVALID_TIMEZONE", status: 400 });
    }
  });
});
