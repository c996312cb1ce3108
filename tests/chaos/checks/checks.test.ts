import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Evidence } from "../evidence.ts";
import type { Incident } from "../faults.ts";
import type { ChaosJob } from "../jobs.ts";
import type { Call, StoredRun } from "../records.ts";
import { checkAll } from "./index.ts";

/** A check that cannot fail would prove nothing, so each one gets evidence with a violation. */

const tick = Date.UTC(2026, 0, 1, 12);
const minuteMs = 60_000;
const job: ChaosJob = { id: "job", overlap: "skip", workMs: 100 };
const retriedJob: ChaosJob = { id: "retried", overlap: "skip", workMs: 100, retries: 2 };

function createRun(run: Partial<StoredRun> = {}): StoredRun {
  const scheduled_at = run.scheduled_at ?? tick;
  return {
    id: "a",
    job_id: "job",
    status: "success",
    trigger: "schedule",
    scheduled_at,
    attempt: 1,
    started_at: scheduled_at,
    ended_at: scheduled_at + 100,
    output: "[]",
    ...run,
  };
}

const createCall = (call: Partial<Call> = {}): Call => ({
  run: "a",
  job: "job",
  tick,
  instance: "n0",
  pid: 1,
  begin: tick + 10,
  end: tick + 110,
  how: "done",
  ...call,
});

/** The call of a process that was killed. */
function createKilledCall(call: Partial<Call> = {}): Call {
  const { end, how, ...begun } = createCall(call);
  return begun;
}

const createEvidence = (evidence: Partial<Evidence> = {}): Evidence => ({
  jobs: [job],
  runs: [createRun()],
  calls: [createCall()],
  records: [],
  incidents: [],
  window: { from: tick - 5_000, to: tick + minuteMs },
  wallShiftMs: 0,
  slackMs: 0,
  lastSeenRunning: () => undefined,
  ...evidence,
});

const listViolations = (evidence: Partial<Evidence>) =>
  checkAll(createEvidence(evidence)).flatMap(({ violations }) => violations);

const kill = (from: number, pid = 1): Incident => ({ kind: "kill", pid, from, to: from });
const stop = (from: number, to: number, pid = 1): Incident => ({ kind: "stop", pid, from, to });
const outage = (from: number, to: number): Incident => ({ kind: "outage", from, to });

interface Case {
  readonly title: string;
  readonly evidence: Partial<Evidence>;
  readonly expected?: RegExp;
}

const interrupted = createRun({ status: "interrupted" });
const other = createRun({ id: "b", scheduled_at: tick + minuteMs });
const late = { from: tick - 5_000, to: tick + 2 * minuteMs };

const cases: readonly Case[] = [
  { title: "a run that succeeds", evidence: {} },
  {
    title: "a tick that is stored twice",
    evidence: {
      runs: [createRun(), createRun({ id: "b" })],
      calls: [createCall(), createCall({ run: "b", begin: tick + 200, end: tick + 300 })],
    },
    expected: /stored more than once/,
  },
  {
    title: "a function that is called twice for a run",
    evidence: { calls: [createCall(), createCall({ pid: 2, begin: tick + 200, end: tick + 300 })] },
    expected: /called more than once/,
  },
  { title: "a tick without a run", evidence: { runs: [], calls: [] }, expected: /did not begin/ },
  {
    title: "a tick that is skipped because the run before it is in progress",
    evidence: {
      runs: [createRun({ ended_at: tick + minuteMs + 500 })],
      calls: [createCall({ end: tick + minuteMs + 500 })],
      window: late,
    },
  },
  {
    title: "a tick that is skipped although the run before it has ended",
    evidence: { window: late },
    expected: /did not begin/,
  },
  {
    title: "a call without a run",
    evidence: { calls: [createCall(), createCall({ run: "x" })] },
    expected: /no run/,
  },
  { title: "a success without a call", evidence: { calls: [] }, expected: /was not called/ },
  {
    title: "an early tick",
    evidence: { calls: [createCall({ begin: tick - 200 })] },
    expected: /200 ms early/,
  },
  {
    title: "two runs at the same time",
    evidence: {
      runs: [createRun({ ended_at: tick + minuteMs + 500 }), other],
      calls: [
        createCall({ end: tick + minuteMs + 500 }),
        createCall({
          run: "b",
          tick: tick + minuteMs,
          begin: tick + minuteMs + 100,
          end: tick + minuteMs + 200,
        }),
      ],
    },
    expected: /a on n0 and b on n0 for 100 ms/,
  },
  {
    title: "a run during the stop of another process",
    evidence: {
      runs: [interrupted, other],
      calls: [
        createCall({ end: tick + minuteMs + 2_000, how: "aborted" }),
        createCall({
          run: "b",
          pid: 2,
          tick: tick + minuteMs,
          begin: tick + minuteMs,
          end: tick + minuteMs + 500,
        }),
      ],
      incidents: [stop(tick + 50, tick + minuteMs + 1_900)],
    },
  },
  {
    title: "a run that continues after the stop of its process, at the same time as another one",
    evidence: {
      runs: [interrupted, other],
      calls: [
        createCall({ end: tick + minuteMs + 9_000, how: "aborted" }),
        createCall({
          run: "b",
          pid: 2,
          tick: tick + minuteMs,
          begin: tick + minuteMs,
          end: tick + minuteMs + 5_000,
        }),
      ],
      incidents: [stop(tick + 50, tick + minuteMs + 100)],
    },
    expected: /b on n0 and a on n0/,
  },
  {
    title: "an interrupted run that finished",
    evidence: { runs: [interrupted] },
    expected: /its function ended/,
  },
  {
    title: "an interrupted run whose process was killed before the result was stored",
    evidence: { runs: [interrupted], incidents: [kill(tick + 200)] },
  },
  {
    title: "an interrupted run whose process was killed",
    evidence: { runs: [interrupted], calls: [createKilledCall()], incidents: [kill(tick + 50)] },
  },
  {
    title: "an interrupted run that goes on",
    evidence: { runs: [interrupted], calls: [createKilledCall()] },
    expected: /its function did not end/,
  },
  {
    title: "a run that is aborted without a cause",
    evidence: { runs: [interrupted], calls: [createCall({ how: "aborted" })] },
    expected: /aborted without a cause/,
  },
  {
    title: "a run that is aborted during an outage",
    evidence: {
      runs: [interrupted],
      calls: [createCall({ end: tick + 9_000, how: "aborted" })],
      incidents: [outage(tick + 50, tick + 15_000)],
    },
  },
  {
    title: "a run that begins on a fenced instance",
    evidence: { records: [{ kind: "fenced", at: tick, instance: "n0", pid: 1 }] },
    expected: /began on n0 while it was fenced/,
  },
  {
    title: "a run that begins after the instance rejoined",
    evidence: {
      records: [
        { kind: "fenced", at: tick - 5_000, instance: "n0", pid: 1 },
        { kind: "rejoined", at: tick, instance: "n0", pid: 1 },
      ],
    },
  },
  {
    title: "a run that continues on a fenced instance",
    evidence: {
      calls: [createCall({ end: tick + 9_000 })],
      records: [{ kind: "fenced", at: tick + 1_000, instance: "n0", pid: 1 }],
    },
    expected: /continued on n0/,
  },
  {
    title: "a run that stays in progress",
    evidence: { runs: [createRun({ status: "running", ended_at: 0 })] },
    expected: /is running/,
  },
  ...retryCases(),
];

function retryCases(): Case[] {
  const attempt = (number: number, status: string) =>
    createRun({
      id: `${number}`,
      job_id: "retried",
      attempt: number,
      trigger: number === 1 ? "schedule" : "retry",
      status,
    });
  const create = (runs: StoredRun[]): Partial<Evidence> => ({
    jobs: [retriedJob],
    runs,
    calls: runs.map(({ id }, index) =>
      createKilledCall({ run: id, job: "retried", pid: index, begin: tick + index * 1_000 }),
    ),
    incidents: runs.map((_, index) => kill(tick + index * 1_000 + 500, index)),
  });
  return [
    {
      title: "an interrupted run that is not retried",
      evidence: create([attempt(1, "interrupted")]),
      expected: /attempt 1 is interrupted, and none followed/,
    },
    {
      title: "an interrupted run whose retry succeeds",
      evidence: create([attempt(1, "interrupted"), attempt(2, "success")]),
    },
    {
      title: "an interrupted run whose attempts are exhausted",
      evidence: create([1, 2, 3].map((number) => attempt(number, "interrupted"))),
    },
  ];
}

describe("the checks of the chaos test", () => {
  for (const { title, evidence, expected } of cases) {
    it(`${expected ? "report" : "accept"} ${title}`, () => {
      const violations = listViolations(evidence);
      if (expected) assert.match(violations.join("\n"), expected);
      else assert.deepEqual(violations, []);
    });
  }
});
