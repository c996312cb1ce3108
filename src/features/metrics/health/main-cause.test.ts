import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stallAt } from "../testing/stalls.ts";
import { nameMainCause } from "./main-cause.ts";

const job = { kind: "run", trace_id: "t", job_id: "backup", run_id: "r1", started_at: 0 } as const;
const unknown = { cause: undefined, function: undefined, location: undefined };

describe("the main cause of stalls", () => {
  for (const [when, stalls, sentence] of [
    ["there are none", [], ""],
    ["a request caused one", [stallAt(1)], " GET /report blocked it for 300 ms in one stall."],
    [
      "a job caused most of the time",
      [
        stallAt(1),
        stallAt(2, { cause: job, duration_ms: 400 }),
        stallAt(3, { cause: job, duration_ms: 900 }),
      ],
      ' Job "backup" blocked it for 1.3 s in 2 stalls.',
    ],
    [
      "it is other code",
      [stallAt(1, { cause: undefined })],
      " buildReport (src/report.ts:12:3) blocked it for 300 ms in one stall.",
    ],
    ["it is not known for most of the time", [stallAt(1), stallAt(2, { ...unknown, duration_ms: 301 })], ""],
  ] as const) {
    it(`is named when ${when}`, () => assert.equal(nameMainCause(stalls), sentence));
  }
});
