import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { Planner } from "./planner.ts";
import { parseSchedule } from "./schedule.ts";
import { parseTimezone } from "./timezone.ts";

/**
 * Schedules across clock changes, minute by minute. The planner on a fake clock is compared with an independent
 * calculation, which asks Intl for the wall time of each minute and applies the rules.
 */
const changes: [zone: string, around: string, what: string][] = [
  ["America/New_York", "2026-03-08T07:00Z", "spring: 02:00 becomes 03:00"],
  ["America/New_York", "2026-11-01T06:00Z", "autumn: 02:00 becomes 01:00"],
  ["Europe/Berlin", "2026-03-29T01:00Z", "spring: 02:00 becomes 03:00"],
  ["Europe/Berlin", "2026-10-25T01:00Z", "autumn: 03:00 becomes 02:00"],
  ["America/Havana", "2026-03-08T05:00Z", "spring: midnight becomes 01:00"],
  ["America/Havana", "2026-11-01T05:00Z", "autumn: 01:00 becomes midnight"],
  ["Australia/Lord_Howe", "2026-10-03T15:30Z", "spring: 02:00 becomes 02:30"],
  ["Australia/Lord_Howe", "2026-04-04T15:00Z", "autumn: 02:00 becomes 01:30"],
  ["Africa/Casablanca", "2026-03-22T02:00Z", "after Ramadan: 02:00 becomes 03:00"],
  ["Africa/Casablanca", "2026-02-15T02:00Z", "before Ramadan: 03:00 becomes 02:00"],
  ["Pacific/Apia", "2020-09-26T14:00Z", "spring: 03:00 becomes 04:00"],
  ["Pacific/Apia", "2021-04-03T14:00Z", "autumn: 04:00 becomes 03:00"],
  ["Pacific/Apia", "2011-12-30T10:00Z", "30 December 2011 does not take place"],
  ["America/Santiago", "2026-09-06T04:00Z", "spring: midnight becomes 01:00"],
  ["Asia/Kolkata", "2026-03-08T00:00Z", "nothing happens"],
];

const expressions = [
  "* * * * *",
  "*/5 * * * *",
  "*/7 * * * *",
  "*/15 * * * *",
  "0 * * * *",
  "30 * * * *",
  "45 */2 * * *",
  "0 */6 * * *",
  "10,40 */3 * * *",
  "0 0 * * *",
  "30 0 * * *",
  "0 1 * * *",
  "30 1 * * *",
  "45 1 * * *",
  "0 2 * * *",
  "15 2 * * *",
  "30 2 * * *",
  "59 2 * * *",
  "0 3 * * *",
  "30 3 * * *",
  "0 12 * * *",
  "0,30 0-4 * * *",
  "20 1,13 * * *",
  "*/20 1-3 * * *",
  "* 2 * * *",
  "0 2 * * 0",
  "30 2 * * SUN",
  "30 2 8,22,29 * *",
  "15 0 1 11 0",
  "0 12 30 * *",
  "30 2 */2 * 0",
  "*/20 2 29 * */7",
];

const minute = 60_000;
const span = 36 * 60 * minute;

/** The wall time of each minute, as if it were UTC. */
function readWall(timeZone: string, from: number, to: number): number[] {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const wall: number[] = [];
  for (let time = from; time <= to; time += minute) {
    const part = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    wall.push(Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute));
  }
  return wall;
}

function matches(expression: string, wall: number): boolean {
  const date = new Date(wall);
  const [minute, hour, day, month, weekday] = expression.replace("SUN", "0").split(" ") as string[];
  const isIn = (field: string, value: number, least: number) =>
    field.split(",").some((part) => {
      const [range, step = "1"] = part.split("/") as [string, string?];
      const [from, to = from] = range === "*" ? [least, 99] : range.split("-").map(Number);
      return value >= from! && value <= to! && (value - from!) % Number(step) === 0;
    });
  const isDay = isIn(day!, date.getUTCDate(), 1);
  const isWeekday = isIn(weekday!, date.getUTCDay(), 0);
  return (
    isIn(minute!, date.getUTCMinutes(), 0) &&
    isIn(hour!, date.getUTCHours(), 0) &&
    isIn(month!, date.getUTCMonth() + 1, 1) &&
    (day!.startsWith("*") || weekday!.startsWith("*") ? isDay && isWeekday : isDay || isWeekday)
  );
}

function expectedTicks(expression: string, walls: number[], from: number): number[] {
  const [minutes, hours] = expression.split(" ") as [string, string];
  const isInterval = minutes.startsWith("*") || hours.startsWith("*");
  const seen = new Set<number>();
  const ticks: number[] = [];
  walls.forEach((wall, index) => {
    const previous = walls[index - 1] ?? wall - minute;
    let isDue = matches(expression, wall) && (isInterval || !seen.has(wall));
    for (let skipped = previous + minute; skipped < wall; skipped += minute) {
      isDue ||= !hours.startsWith("*") && matches(expression, skipped);
    }
    seen.add(wall);
    if (isDue && index > 0) ticks.push(from + index * minute);
  });
  return ticks;
}

describe("schedules across changes of the clock", () => {
  for (const [zone, around, what] of changes) {
    it(`${zone}, ${what}`, () => {
      const from = Date.parse(around) - span;
      const to = Date.parse(around) + span;
      const walls = readWall(zone, from, to);
      const isRegular = walls.every((wall, index) => index === 0 || wall - walls[index - 1]! === minute);
      assert.equal(isRegular, what === "nothing happens", "the clock changes as the table says");
      const clock = new FakeClock(from);
      const fired = new Map<string, number[]>(expressions.map((expression) => [expression, []]));
      const planner = new Planner<string>({
        clock,
        onDue: (due) => {
          for (const { key, tick } of due) {
            assert.equal(tick, clock.now());
            fired.get(key)!.push(tick);
          }
        },
      });
      for (const expression of expressions)
        planner.set(expression, parseSchedule(expression), parseTimezone(zone));
      planner.start();
      for (let time = from; time < to; time += minute) clock.advance(minute);
      for (const expression of expressions) {
        const show = (ticks: number[]) => ticks.map((tick) => new Date(tick).toISOString());
        const expected = expectedTicks(expression, walls, from);
        assert.deepEqual(show(fired.get(expression)!), show(expected), `${expression} in ${zone}`);
      }
    });
  }

  it("says what people expect", () => {
    const next = (expression: string, zone: string, after: string, count: number) => {
      const clock = new FakeClock(after);
      const ticks: string[] = [];
      const planner = new Planner<string>({
        clock,
        onDue: (due) => ticks.push(...due.map(({ tick }) => new Date(tick).toISOString().slice(5, 16))),
      });
      planner.set("job", parseSchedule(expression), parseTimezone(zone));
      planner.start();
      while (ticks.length < count) clock.advance(minute);
      return ticks;
    };
    const newYork = "America/New_York";
    assert.deepEqual(next("30 2 * * *", newYork, "2026-03-07T12:00Z", 2), ["03-08T07:00", "03-09T06:30"]);
    assert.deepEqual(next("30 1 * * *", newYork, "2026-10-31T12:00Z", 2), ["11-01T05:30", "11-02T06:30"]);
    assert.deepEqual(next("30 * * * *", newYork, "2026-11-01T05:00Z", 3), [
      "11-01T05:30",
      "11-01T06:30",
      "11-01T07:30",
    ]);
  });
});
