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
    ["0\t9\t*\t*\tMON,WED,FRI", "2026-03-09T09:00", "2026-03-11T09:00", "2026-03-13T09:00"],
    ["\t0 \t 0  1\u00a0jan-mar *\r\n", "2027-01-01T00:00", "2027-02-01T00:00", "2027-03-01T00:00"],
    ["0 0 1 JAN,APR,jul-Aug *", "2026-04-01T00:00", "2026-07-01T00:00", "2026-08-01T00:00"],
    ["0 9 * * tue,THU-SAT", "2026-03-10T09:00", "2026-03-12T09:00", "2026-03-13T09:00"],
    ["0 0 */2 * 1", "2026-03-09T00:00", "2026-03-23T00:00", "2026-04-13T00:00"],
    ["0 0 *,5 * 1", "2026-03-09T00:00", "2026-03-16T00:00", "2026-03-23T00:00"],
    ["0 0 13 * */5", "2026-03-13T00:00", "2026-09-13T00:00", "2026-11-13T00:00"],
    ["0 0 1-31/2 * 1", "2026-03-09T00:00", "2026-03-11T00:00", "2026-03-13T00:00"],
    ["0 6 ? * 5L", "2026-03-27T06:00", "2026-04-24T06:00", "2026-05-29T06:00"],
    ["@hourly", "2026-03-07T13:00", "2026-03-07T14:00", "2026-03-07T15:00"],
    ["@daily", "2026-03-08T00:00", "2026-03-09T00:00", "2026-03-10T00:00"],
    ["@midnight", "2026-03-08T00:00", "2026-03-09T00:00", "2026-03-10T00:00"],
    [" @Weekly\n", "2026-03-08T00:00", "2026-03-15T00:00", "2026-03-22T00:00"],
    ["@monthly", "2026-04-01T00:00", "2026-05-01T00:00", "2026-06-01T00:00"],
    ["@yearly", "2027-01-01T00:00", "2028-01-01T00:00", "2029-01-01T00:00"],
    ["@annually", "2027-01-01T00:00", "2028-01-01T00:00", "2029-01-01T00:00"],
  ];
  for (const [expression, ...times] of accepted) {
    it(JSON.stringify(expression), () => assert.deepEqual(next(expression), times));
  }

  it("keeps its text with single spaces", () => {
    assert.equal(parseSchedule(" 0  12 *  * mon ").expression, "0 12 * * mon");
    assert.equal(parseSchedule("0\t12 *\n* 5L\n").expression, "0 12 * * 5L");
  });

  it("is five fields, even if it was a shortcut", () => {
    assert.equal(parseSchedule("@weekly").expression, "0 0 * * 0");
  });

  it("finds 29 February across a century without one", () => {
    assert.deepEqual(next("0 0 29 2 *", 2, "2096-02-29T00:00Z"), ["2104-02-29T00:00", "2108-02-29T00:00"]);
  });

  const refused: [expression: string, problem: RegExp][] = [
    ["", /the expression is empty.*minute, hour, day of month, month, day of week/],
    ["   ", /the expression is empty/],
    ["* * * *", /field 5 \(day of week\) is missing at position 8/],
    [
      "*/30 * * * * *",
      /seconds are not supported; without them, it is "\* \* \* \* \*"; it must have five fields/,
    ],
    ["0 30 6 * * MON-FRI", /seconds are not supported; without them, it is "30 6 \* \* MON-FRI"/],
    ["0 0 12 ? * 6#3 2027", /seconds and years are not supported; without them, it is "0 12 \? \* 6#3"/],
    ["0 12 1 1 * 2027-2030", /years are not supported; without them, it is "0 12 1 1 \*"/],
    ["0 6 * * * /usr/bin/report --all", /unexpected sixth field at position 11/],
    ["* * * * * * * *", /unexpected sixth field at position 11/],
    ["CRON_TZ=Asia/Tokyo 0 6 * * *", /a time zone is not part of a schedule; use the option timezone/],
    [
      "@reboot",
      /"@reboot" is not valid: @reboot is not supported; call the function after app\.start\(\) instead/,
    ],
    ["@every 5m", /@every is not supported; use a step such as \*\/5 \* \* \* \* instead/],
    ["@every_minute", /use \* \* \* \* \* instead/],
    ["@fortnightly", /unknown shortcut; the shortcuts are @yearly, .*@daily, .*@hourly/],
    ["@", /unknown shortcut/],
    ["@daily 5", /@daily is a whole schedule; remove the text after it/],
    ["2026-01-01T00:00:00Z", /field 2 \(hour\) is missing/],
    ["*\t*\n*\t*\t61", /"\* \* \* \* 61" is not valid: day of week \(field 5, position 9\)/],
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
    ["10-5 * * * *", /the range "10-5" ends before it begins; use 10-59,0-5/],
    ["0 22-6 * * *", /use 22-23,0-6/],
    ["0 0 25-5 * *", /use 25-31,1-5/],
    ["0 0 * * FRI-MON", /use 5-6,0-1/],
    ["0 0 * * 7-2", /use 0-2/],
    ["5- * * * *", /position 3\): "" is not a valid value/],
    ["1-2-3 * * * *", /"1-2-3" is not a valid range/],
    ["5/15 * * * *", /position 2\): a step needs \* or a range before it; use 5-59\/15/],
    ["0/15 * * * *", /use \*\/15/],
    ["0 8/2 * * *", /use 8-23\/2/],
    ["0 0 3/7 * *", /use 3-31\/7/],
    ["0 0 1 FEB/3 *", /use 2-12\/3/],
    ["0 0 * * MON/2", /use 1-6\/2/],
    ["0 0 * * 7/2", /use \*\/2/],
    ["5/x * * * *", /position 3\): "x" is not a valid step/],
    ["*/0 * * * *", /position 3\): "0" is not a valid step; allowed: 1-60/],
    ["*/61 * * * *", /"61" is not a valid step/],
    ["*/1/2 * * * *", /only one step is allowed/],
    ["*/x * * * *", /"x" is not a valid step/],
    ["0 0 31 2 *", /day of month \(field 3, position 5\).*would never run/],
    ["0 0 30 FEB *", /never run/],
    ["0 0 31 4,6,9,11 *", /never run/],
    ["? ? * * *", /minute \(field 1, position 1\): \? is allowed only as a whole day field; use \*/],
    ["0 0 * ? *", /\? is allowed only as a whole day field/],
    ["0 0 1,? * *", /day of month \(field 3, position 7\): \? is allowed only as a whole day field/],
    ["0 0 ?/2 * *", /\? is allowed only as a whole day field/],
    ["L * * * *", /minute \(field 1, position 1\): "L" is allowed only in the day fields/],
    ["0 15W * * *", /"15W" is allowed only in the day fields/],
    ["0 0 1 5#2 *", /month \(field 4, position 7\): "5#2" is allowed only in the day fields/],
    ["0~30 * * * *", /random values such as "0~30" are not supported; choose a value/],
    ["H/15 * * * *", /random values such as "H" are not supported/],
    ["H(0-7) * * * *", /random values/],
    [
      "0 0 L-0 * *",
      /day of month \(field 3, position 7\): "0" is not a valid number of days .* allowed: 1-30/,
    ],
    ["0 0 1,L-31 * *", /position 9\): "31" is not a valid number of days/],
    ["0 0 L3 * *", /the days before the last are written as L-1, L-2/],
    ["0 0 0W * *", /position 5\): "0" is not a valid value; allowed: 1-31/],
    ["0 0 32W * *", /"32" is not a valid value/],
    ["0 0 W * *", /W needs one day before it, such as 15W or LW/],
    ["0 0 1-5W * *", /W needs one day before it/],
    ["0 0 WL * *", /W needs one day before it/],
    ["0 0 15-L * *", /a range cannot end with L; use 15-31/],
    ["0 0 5L * *", /"5L" is a weekday; write it in field 5/],
    ["0 0 FRI#2 * *", /"FRI#2" is a weekday; write it in field 5/],
    ["0 0 L/2 * *", /position 6\): "L" cannot have a step/],
    ["0 0 * * 5#2/2", /position 12\): "5#2" cannot have a step/],
    ["0 0 * * L", /L needs a weekday before it, such as 5L; the last day of the month is L in field 3/],
    ["0 0 * * LW", /"LW" is a day of the month; write it in field 3/],
    ["0 0 * * L-3", /"L-3" is a day of the month/],
    ["0 0 * * 15W", /"15W" is a day of the month/],
    ["0 0 * * 8L", /"8" is not a valid value; allowed: 0-7/],
    ["0 0 * * 5#0", /position 11\): "0" is not a valid number after #; allowed: 1-5/],
    ["0 0 * * FRI#6", /position 13\): "6" is not a valid number after #/],
    ["0 0 * * 5#", /"" is not a valid number after #/],
    ["0 0 * * FRI#L", /use FRIL for the last one of the month/],
    ["0 0 * * MON-FRI#1", /L and # need one weekday before them; use a list such as 1#2,2#2/],
    ["0 0 * * 1-5L", /L and # need one weekday before them/],
    ["0 0 * * FOOL", /"FOO" is not a valid value/],
    [
      "0 0 L-29 2 *",
      /day of month \(field 3, position 5\): no month of field 4 has that day, so it would never run/,
    ],
    ["0 0 31W 4,6 ?", /never run/],
    ["0 0 LW * */6", /day of month \(field 3, position 5\): no such day is also a day of field 5/],
    ["0 0 */30 2 5#5", /no such day is also a day of field 5, so it would never run/],
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
      const [minute, hour, day = "", month, weekday = ""] = limits.map(([least, most]) => field(least, most));
      // croner combines a step such as */2 with "or". The tests of relative days cover "and".
      const ofMonth = weekday.startsWith("*/") ? "*" : day;
      const ofWeek = ofMonth.startsWith("*/") ? "*" : weekday;
      const expression = [minute, hour, ofMonth, month, ofWeek].join(" ");
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
