import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunBar, Timeline } from "../../../../../src/features/cron/wire.ts";
import { ofOneJob, toMarks } from "./timeline-marks.ts";

const window = { from: 0, to: 260_000 };

function timeline(parts: Partial<Timeline>): Timeline {
  return {
    ...window,
    now: 130_000,
    runs: [],
    truncated: false,
    planned: [],
    planned_truncated: false,
    missed: [],
    missed_truncated: false,
    ...parts,
  };
}

function run(
  id: string,
  start: number,
  end: number | undefined,
  status: RunBar["status"] = "success",
): RunBar {
  const ended = end === undefined ? {} : { end_time: end };
  return { id, job_id: "job", job_name: "Job", status, trigger: "schedule", start_time: start, ...ended };
}

const kindsOf = (parts: Partial<Timeline>) =>
  (toMarks(timeline(parts), window).get("job") ?? []).map(({ kind, from, to, count }) => [
    kind,
    from,
    to,
    count,
  ]);

describe("the marks of a timeline", () => {
  it("merges runs that are too close, but not failed ones with others", () => {
    const runs = [
      run("a", 0, 100),
      run("b", 600, 700, "failed"),
      run("c", 1_000, 1_100),
      run("d", 50_000, 50_100),
    ];
    assert.deepEqual(kindsOf({ runs }), [
      ["success", 0, 1_100, 2],
      ["success", 50_000, 50_100, 1],
      ["failed", 600, 700, 1],
    ]);
  });

  it("extends a run in progress to now, and marks the time of an overlap", () => {
    const runs = [run("a", 100_000, 120_000), run("b", 110_000, undefined, "running")];
    assert.deepEqual(kindsOf({ runs }), [
      ["success", 100_000, 120_000, 1],
      ["running", 110_000, 130_000, 1],
      ["overlap", 110_000, 120_000, 1],
    ]);
  });

  it("marks a run within a longer one, even if another started in between", () => {
    const runs = [run("a", 0, 50_000), run("b", 10_000, 12_000), run("c", 40_000, 60_000)];
    const overlaps = kindsOf({ runs }).filter(([kind]) => kind === "overlap");
    assert.deepEqual(overlaps, [
      ["overlap", 10_000, 12_000, 1],
      ["overlap", 40_000, 50_000, 1],
    ]);
  });

  it("adds the runs of one job that the truncated timeline of all jobs omits", () => {
    const dot = (id: string, start_time: number) =>
      ({ id, status: "success", trigger: "manual", attempt: 1, start_time, duration_ms: 50 }) as const;
    const runs = [dot("c", 90_000), dot("b", 60_000), dot("a", 30_000), dot("before", -500)];
    const cut = timeline({
      truncated: true,
      runs: [run("c", 90_000, 90_050), { ...run("x", 80_000, 81_000), job_id: "other" }],
    });
    const own = ofOneJob(cut, { id: "job", name: "Job", runs, runs_kept: 9 });
    assert.deepEqual([own.runs.map(({ id }) => id), own.truncated], [["c", "b", "a"], false]);
    const short = ofOneJob(cut, { id: "job", name: "Job", runs: runs.slice(0, 2), runs_kept: 9 });
    assert.equal(short.truncated, true);
  });

  it("counts the ticks of a band, and distinguishes skipped from missed ticks", () => {
    const planned = [{ job_id: "job", every_ms: 1_000, from: 140_000, to: 160_000 }];
    const missed = [
      { job_id: "job", time: 10_000 },
      { job_id: "job", time: 90_000, overlap: true as const },
    ];
    assert.deepEqual(kindsOf({ planned, missed }), [
      ["planned", 140_000, 160_000, 21],
      ["missed", 10_000, 10_000, 1],
      ["left-out", 90_000, 90_000, 1],
    ]);
  });
});
