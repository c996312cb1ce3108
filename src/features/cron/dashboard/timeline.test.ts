import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nextTicks } from "../planning/calendar.ts";
import { parseSchedule } from "../planning/schedule.ts";
import { parseTimezone } from "../planning/timezone.ts";
import { countNewestTicks, findMissed, type KnownPlan, planBetween, type TimelineJob } from "./timeline.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const monday = Date.parse("2026-03-02T00:00:00Z");

const job = (id: string, schedule: string, zone = "UTC"): TimelineJob => ({
  id,
  schedule: parseSchedule(schedule),
  zone: parseTimezone(zone),
  overlap: "skip",
});

describe("what is planned", () => {
  it("contains single ticks of a rare job, and a band for a frequent one", () => {
    const jobs = [job("daily", "30 3 * * *"), job("often", "*/5 * * * *")];
    assert.deepEqual(planBetween(jobs, monday, monday + day, 100), {
      items: [
        { jobId: "often", everyMs: 5 * minute, from: monday, to: monday + day - 5 * minute },
        { jobId: "daily", time: monday + 3.5 * hour },
      ],
      isTruncated: false,
    });
  });

  it("contains a band for each period in which a job runs often", () => {
    const { items } = planBetween([job("office", "*/5 9,14 * * *")], monday, monday + day, 100);
    const band = (from: number) => ({
      jobId: "office",
      everyMs: 5 * minute,
      from: monday + from * hour,
      to: monday + from * hour + 55 * minute,
    });
    assert.deepEqual(items, [band(9), band(14)]);
  });

  it("begins with the window and ends before its end", () => {
    const at = (from: number, to: number) =>
      planBetween([job("hourly", "0 * * * *")], monday + from, monday + to, 100).items;
    assert.deepEqual(at(0, hour), [{ jobId: "hourly", time: monday }]);
    assert.deepEqual(at(1, hour + 1), [{ jobId: "hourly", time: monday + hour }]);
    assert.deepEqual(at(1, hour), []);
  });

  it("follows the calendar across a clock change", () => {
    const change = Date.parse("2026-10-03T15:30:00Z");
    const hourly = job("hourly", "0 * * * *", "Australia/Lord_Howe");
    const { items } = planBetween([hourly], change - 15 * hour, change + 15 * hour, 100);
    const reported = items.flatMap((planned) =>
      "time" in planned
        ? [planned.time]
        : Array.from(
            { length: (planned.to - planned.from) / planned.everyMs + 1 },
            (_, index) => planned.from + index * planned.everyMs,
          ),
    );
    const ticks = nextTicks(hourly.schedule, hourly.zone, change - 15 * hour - 1, 100);
    assert.deepEqual(
      reported,
      ticks.filter((tick) => tick < change + 15 * hour),
    );
    assert.ok(items.length > 1, "half an hour is missing in between");
  });

  it("is truncated evenly among the jobs, and marked as truncated", () => {
    const jobs = ["a", "b", "c"].map((id) => job(id, "0,7 */3 * * *"));
    const { items, isTruncated } = planBetween([...jobs, job("d", "0 12 * * *")], monday, monday + day, 10);
    const counts = Object.entries(Object.groupBy(items, ({ jobId }) => jobId));
    assert.deepEqual(counts.map(([id, list]) => [id, list!.length]).sort(), [
      ["a", 3],
      ["b", 3],
      ["c", 3],
      ["d", 1],
    ]);
    assert.equal(isTruncated, true);
  });

  it("limits the number of computed ticks, regardless of the number of jobs", () => {
    const jobs = Array.from({ length: 3_000 }, (_, index) => job(`job${index}`, "*/2 8-20 * * *"));
    const { items, isTruncated } = planBetween(jobs, monday, monday + 7 * day, 2_000);
    assert.equal(items.length, 2_000);
    assert.equal(new Set(items.map(({ jobId }) => jobId)).size, 2_000);
    assert.equal(isTruncated, true);
  });
});

describe("what was missed", () => {
  const plan = (id: string, schedule: string, after: number, until: number): KnownPlan => ({
    ...job(id, schedule),
    after: monday + after,
    until: monday + until,
  });
  const none = async () => new Set<never>();

  it("contains due ticks of the known period without a run", async () => {
    const plans = [plan("a", "0 * * * *", 0, 3 * hour), plan("b", "30 * * * *", hour, 2 * hour)];
    const ran = async (ticks: readonly { jobId: string; time: number }[]) =>
      new Set(ticks.filter(({ jobId, time }) => jobId === "a" && time === monday + 2 * hour));
    const { items, isTruncated } = await findMissed(plans, { most: 10, bars: [], haveRun: ran });
    assert.deepEqual(
      items.map(({ jobId, time }) => [jobId, (time - monday) / hour]),
      [
        ["a", 1],
        ["b", 1.5],
        ["a", 3],
      ],
    );
    assert.equal(isTruncated, false);
  });

  it("marks ticks that were skipped because of the previous run", async () => {
    const bar = { id: "r", jobId: "a", jobName: "A", status: "success", trigger: "schedule" } as const;
    const bars = [{ ...bar, startedAt: monday, endedAt: monday + 1.5 * hour }];
    const plans = [plan("a", "0 * * * *", 0, 2 * hour)];
    const overlaps = async (known: KnownPlan[]) =>
      (await findMissed(known, { most: 10, bars, haveRun: none })).items.map(({ isOverlap }) => isOverlap);
    assert.deepEqual(await overlaps(plans), [true, false]);
    assert.deepEqual(await overlaps([{ ...plans[0]!, overlap: "allow" }]), [false, false]);
  });

  it("contains the newest ticks if there are too many", async () => {
    const { items, isTruncated } = await findMissed([plan("a", "* * * * *", 0, hour)], {
      most: 5,
      bars: [],
      haveRun: none,
    });
    assert.deepEqual(
      items.map(({ time }) => (time - monday) / minute),
      [56, 57, 58, 59, 60],
    );
    assert.equal(isTruncated, true);
  });

  it("is searched from the end of the period", () => {
    const ticks = countNewestTicks(job("a", "* * * * *"), monday, monday + day, 100);
    assert.ok(ticks.items.length > 40 && ticks.items.length <= 100);
    assert.equal(ticks.items.at(-1), monday + day);
    assert.equal(ticks.isTruncated, true);
    const all = countNewestTicks(job("a", "0 * * * *"), monday, monday + day, 100);
    assert.deepEqual([all.items.length, all.isTruncated], [24, false]);
  });
});
