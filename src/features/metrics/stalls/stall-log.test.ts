import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { stallAt } from "../testing/stalls.ts";
import { createStallLog } from "./stall-log.ts";

function createLog() {
  const clock = new FakeClock(0);
  const records: unknown[][] = [];
  const log = createStallLog({ write: (...record) => void records.push(record) }, clock);
  return { clock, log, records };
}

describe("the log of stalls", () => {
  it("has a warning for a long one, with the trace of its request", () => {
    const { log, records } = createLog();
    const stall = stallAt(5, { duration_ms: 500, in_flight_count: 3 });
    log(stall);
    const fields = {
      event: "event_loop_stall",
      duration_ms: 500,
      method: "GET",
      route: "/report",
      function: "buildReport",
      location: "src/report.ts:12:3",
      in_flight: 3,
    };
    assert.deepEqual(records, [["warn", "Event loop blocked", fields, stall.cause!.trace_id]]);
  });

  it("names the run of a job", () => {
    const { log, records } = createLog();
    const cause = { kind: "run", trace_id: "t", job_id: "backup", run_id: "r1", started_at: 0 } as const;
    log(stallAt(5, { duration_ms: 2_000, cause }));
    assert.partialDeepStrictEqual(records[0]![2], { job_id: "backup", run_id: "r1" });
  });

  it("has none for a short one", () => {
    const { log, records } = createLog();
    log(stallAt(5, { duration_ms: 499 }));
    assert.deepEqual(records, []);
  });

  it("has at most one in ten seconds, and counts the others", () => {
    const { clock, log, records } = createLog();
    for (let second = 0; second < 11; second++) {
      log(stallAt(second, { duration_ms: 900 }));
      clock.advance(1_000);
    }
    assert.equal(records.length, 2);
    assert.ok(!("skipped" in (records[0]![2] as object)));
    assert.partialDeepStrictEqual(records[1]![2], { skipped: 9 });
  });
});
