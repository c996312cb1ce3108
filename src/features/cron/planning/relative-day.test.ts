import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cron as Croner } from "croner";
import { nextTicks } from "./calendar.ts";
import { parseSchedule } from "./schedule.ts";
import { parseTimezone } from "./timezone.ts";

const utc = parseTimezone("UTC");
const dayMs = 86_400_000;
const toDate = (time: number) => new Date(time).toISOString().slice(0, 10);
const datesOf = (days: string, count: number, after: number) => {
  const [day, month, weekday] = days.split(" ");
  return nextTicks(parseSchedule(`0 0 ${day} ${month} ${weekday}`), utc, after, count).map(toDate);
};

const cases: [days: string, ...dates: string[]][] = [
  ["L * *", "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"],
  ["l 2 *", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"],
  ["L-1 * *", "2026-01-30", "2026-02-27", "2026-03-30", "2026-04-29"],
  ["L-30 * *", "2026-01-01", "2026-03-01", "2026-05-01", "2026-07-01"],
  ["L-28 2 *", "2028-02-01", "2032-02-01", "2036-02-01", "2040-02-01"],
  // 31 January 2026 is a Saturday, 31 May 2026 a Sunday.
  ["LW * *", "2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30", "2026-05-29"],
  ["L-1W 5 *", "2026-05-29", "2027-05-31", "2028-05-30", "2029-05-30"],
  // 15 February and 15 March 2026 are Sundays, 15 August is a Saturday.
  ["15W 2,3,8 *", "2026-02-16", "2026-03-16", "2026-08-14", "2027-02-15"],
  // 1 August 2026 is a Saturday, 1 February a Sunday.
  ["1W 2,8 ?", "2026-02-02", "2026-08-03", "2027-02-01", "2027-08-02"],
  ["31w * *", "2026-01-30", "2026-03-31", "2026-05-29", "2026-07-31"],
  ["1,L * *", "2026-01-01", "2026-01-31", "2026-02-01", "2026-02-28"],
  ["1W,15W,LW 5 *", "2026-05-01", "2026-05-15", "2026-05-29", "2027-05-03"],
  ["* * 5L", "2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24"],
  ["* * fril", "2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24"],
  ["? * 7L", "2026-01-25", "2026-02-22", "2026-03-29", "2026-04-26"],
  ["* * 5#2", "2026-01-09", "2026-02-13", "2026-03-13", "2026-04-10"],
  ["? * FRI#2", "2026-01-09", "2026-02-13", "2026-03-13", "2026-04-10"],
  ["* * MON#1,MON#3", "2026-01-05", "2026-01-19", "2026-02-02", "2026-02-16"],
  ["* * 0#5", "2026-03-29", "2026-05-31", "2026-08-30", "2026-11-29"],
  ["* 2 5#5", "2036-02-29", "2064-02-29", "2092-02-29", "2104-02-29"],
  ["* * 6#1,MON-TUE", "2026-01-03", "2026-01-05", "2026-01-06", "2026-01-12"],
  // One of two restricted day fields is enough.
  ["L * 1#1", "2026-01-05", "2026-01-31", "2026-02-02", "2026-02-28"],
  // A day field that begins with * must match, too.
  ["*/2 * 1", "2026-01-05", "2026-01-19", "2026-02-09", "2026-02-23"],
  ["*/2 * 5L", "2026-02-27", "2026-03-27", "2026-05-29", "2026-07-31"],
  ["L * */2", "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"],
  ["29 2 */7", "2032-02-29", "2060-02-29", "2088-02-29", "2128-02-29"],
  ["? * ?", "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"],
];

describe("days that depend on the month", () => {
  for (const [days, ...dates] of cases) {
    it(`${days}: ${dates.join(", ")}`, () => {
      assert.deepEqual(datesOf(days, dates.length, Date.parse("2025-12-31T12:00Z")), dates);
    });
  }

  it("are found in zones with clock changes, at the right time", () => {
    const at = (expression: string, zone: string, after: string) =>
      nextTicks(parseSchedule(expression), parseTimezone(zone), Date.parse(after), 2).map((tick) =>
        new Date(tick).toISOString().slice(0, 16),
      );
    // The last Sunday of October, when Berlin repeats an hour: once.
    assert.deepEqual(at("30 2 * 10 7L", "Europe/Berlin", "2026-10-01"), [
      "2026-10-25T00:30",
      "2027-10-31T00:30",
    ]);
    // The last Sunday of March, when Berlin skips that hour: right after the change.
    assert.deepEqual(at("30 2 * 3 7L", "Europe/Berlin", "2026-03-01"), [
      "2026-03-29T01:00",
      "2027-03-28T01:00",
    ]);
    // An interval continues in the repeated hour.
    assert.deepEqual(at("*/30 1 * 11 7#1", "America/New_York", "2026-11-01T05:59Z"), [
      "2026-11-01T06:00",
      "2026-11-01T06:30",
    ]);
    // 40 years without a match, with two clock changes each.
    assert.deepEqual(at("0 12 29 2 */7", "Europe/Berlin", "2088-03-01"), [
      "2128-02-29T11:00",
      "2156-02-29T11:00",
    ]);
  });
});

let seed = 11;
function random(below: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
}
const pick = <T>(choices: readonly T[]): T => choices[random(choices.length)]!;
const between = (least: number, most: number) => least + random(most - least + 1);
const listOf = (part: () => string) => Array.from({ length: between(1, 3) }, part).join(",");

function randomMonthPart(forms: readonly string[]): string {
  const form = pick(forms);
  const [one, other] = [between(1, 31), between(1, 31)].sort((a, b) => a - b);
  if (form === "n") return `${one}`;
  if (form === "n-m") return `${one}-${other}`;
  return form.replace("k", `${between(1, 30)}`).replace("n", `${one}`);
}

function randomWeekPart(forms: readonly string[]): string {
  const [one, other] = [between(0, 7), between(0, 7)].sort((a, b) => a - b);
  return pick(forms)
    .replace("n", `${one}`)
    .replace("m", `${other}`)
    .replace("k", `${between(1, 5)}`);
}

const monthForms = ["n", "n-m", "L", "L-k", "nW", "LW", "L-kW"];
const weekForms = ["n", "n-m", "nL", "n#k"];

/** The dates of a month that a part matches, found by looking at all of its days. */
function datesOfPart(part: string, weekdays: readonly number[]): number[] {
  const length = weekdays.length;
  const dates = weekdays.map((_, index) => index + 1);
  const [base = "", step = "1"] = part.split("/");
  if (base === "*" || base === "?") return dates.filter((date) => (date - 1) % Number(step) === 0);
  if (base.startsWith("L")) {
    const target = length - Number(/L-(\d+)/.exec(base)?.[1] ?? 0);
    return base.endsWith("W") ? nearest(target, weekdays) : dates.filter((date) => date === target);
  }
  if (base.endsWith("W")) return nearest(Number.parseInt(base, 10), weekdays);
  const [from, to = from] = base.split("-").map(Number);
  return dates.filter((date) => date >= from! && date <= to!);
}

/** The weekday of the month that is the fewest days away. */
function nearest(target: number, weekdays: readonly number[]): number[] {
  if (target < 1 || target > weekdays.length) return [];
  const candidates = weekdays.flatMap((weekday, index) => (weekday % 6 === 0 ? [] : [index + 1]));
  return candidates.sort((one, other) => Math.abs(one - target) - Math.abs(other - target)).slice(0, 1);
}

function datesOfWeekPart(part: string, weekdays: readonly number[]): number[] {
  const datesOn = (wanted: number) =>
    weekdays.flatMap((weekday, index) => (weekday === wanted % 7 ? [index + 1] : []));
  const [base = "", step = "1"] = part.split("/");
  if (base === "*" || base === "?") {
    return [0, 1, 2, 3, 4, 5, 6].filter((day) => day % Number(step) === 0).flatMap(datesOn);
  }
  if (base.endsWith("L")) return datesOn(Number.parseInt(base, 10)).slice(-1);
  const [weekday, nth] = base.split("#");
  if (nth !== undefined) return datesOn(Number(weekday)).slice(Number(nth) - 1, Number(nth));
  const [from, to = from] = base.split("-").map(Number);
  const dates: number[] = [];
  for (let day = from!; day <= to!; day++) dates.push(...datesOn(day));
  return dates;
}

function expectedDates(
  days: string,
  months: readonly number[],
  weekdays: string,
  count: number,
  after: number,
) {
  const found: string[] = [];
  const isStar = (field: string) => field.startsWith("*") || field === "?";
  const first = new Date(after);
  for (let month = 0; month < 42 * 12 && found.length < count; month++) {
    const start = Date.UTC(first.getUTCFullYear(), month, 1);
    if (!months.includes(new Date(start).getUTCMonth() + 1)) continue;
    const length = (Date.UTC(first.getUTCFullYear(), month + 1, 1) - start) / dayMs;
    const ofMonth = Array.from({ length }, (_, index) => new Date(start + index * dayMs).getUTCDay());
    const byDate = new Set(days.split(",").flatMap((part) => datesOfPart(part, ofMonth)));
    const byWeekday = new Set(weekdays.split(",").flatMap((part) => datesOfWeekPart(part, ofMonth)));
    const isBoth = isStar(days) || isStar(weekdays);
    const dates = isBoth ? byDate.intersection(byWeekday) : byDate.union(byWeekday);
    const times = [...dates].sort((one, other) => one - other).map((date) => start + (date - 1) * dayMs);
    found.push(...times.filter((time) => time > after).map(toDate));
  }
  return found.slice(0, count);
}

describe("days, compared with other calculations", () => {
  it("a walk over all days of each month, in two thousand cases", () => {
    let refused = 0;
    for (let index = 0; index < 2_000; index++) {
      const stars = ["*", "?", `*/${between(1, 31)}`];
      const days = pick([...stars, "", "", ""]) || listOf(() => randomMonthPart(monthForms));
      const weekStars = ["*", "?", `*/${between(1, 7)}`];
      const weekdays = pick([...weekStars, "", "", ""]) || listOf(() => randomWeekPart(weekForms));
      const months = pick([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [2], [4, 9], [between(1, 12)]]);
      const after = Date.UTC(between(1990, 2120), random(12), between(1, 28)) - 1;
      const expected = expectedDates(days, months, weekdays, 6, after);
      const fields = `${days} ${months} ${weekdays}`;
      if (expected.length === 0) {
        assert.throws(() => parseSchedule(`0 0 ${fields}`), { message: /would never run/ }, fields);
        refused++;
        continue;
      }
      const actual = datesOf(fields, 6, after);
      // Where matches are rare, the walk may end before the sixth.
      assert.deepEqual(actual.slice(0, expected.length), expected, `${fields} after ${toDate(after)}`);
    }
    assert.ok(refused > 10 && refused < 300, `${refused} schedules would never run`);
  });

  it("croner, in a thousand cases", () => {
    // croner has no L-3, and LW only alone.
    const forms = ["n", "n-m", "L", "nW"];
    let compared = 0;
    for (let index = 0; index < 1_000; index++) {
      const days = pick(["*", "?", "LW", "", "", ""]) || listOf(() => randomMonthPart(forms));
      const weekdays = pick(["*", "?", "", "", ""]) || listOf(() => randomWeekPart(weekForms));
      const months = pick(["*", "2", "4,9", "1-3"]);
      const after = Date.UTC(between(2000, 2090), random(12), between(1, 28)) - 1;
      const expression = `0 0 ${days} ${months} ${weekdays}`;
      const ours = tryDates(`${days} ${months} ${weekdays}`, after);
      if (ours === undefined) continue;
      const croner = new Croner(expression, { utcOffset: 0, paused: true, mode: "5-part" });
      const theirs = croner.nextRuns(4, new Date(after)).map((date) => toDate(date.getTime()));
      assert.deepEqual(ours, theirs, `${expression} after ${toDate(after)}`);
      compared++;
    }
    assert.ok(compared > 900, `${compared} schedules were compared`);
  });
});

/** The dates of a schedule; `undefined` if it would never run. */
function tryDates(days: string, after: number): string[] | undefined {
  try {
    return datesOf(days, 4, after);
  } catch {
    return undefined;
  }
}
