import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SystemSample } from "../system/sampler.ts";
import { findSystemIssues, type SystemState } from "./system-rules.ts";

const fine: SystemState = {
  seconds: [],
  longRequests: { count: 0, handling: 0, listed: [] },
  longRequestMs: 60_000,
  diskForecast: { growthPerDay: 2.1e9, daysToFull: 12 },
};
const minute = (sample: SystemSample, count = 60) => Array.from({ length: count }, () => sample);
const gigabyte = 1e9;

interface Case {
  readonly when: string;
  readonly given: Partial<SystemState>;
  readonly status: string;
  readonly reasons?: string[];
}

const loop = (delay: number, count?: number) => ({ seconds: minute({ "loop.delay_p99_ms": delay }, count) });
const disk = (left: number, total = 40 * gigabyte) => ({
  seconds: [{ "disk.available_bytes": left, "disk.used_bytes": total - left }],
});
const container = (used: number) => ({
  seconds: minute({ "container.memory_used_bytes": used, "container.memory_limit_bytes": 512e6 }),
});
const heap = (used: number) => ({
  seconds: minute({ "process.heap_used_bytes": used, "process.heap_limit_bytes": 4.2e9 }),
});
const long = (handling: number, receiving: number, route?: string): Partial<SystemState> => {
  const common = {
    traceId: "a".repeat(18),
    method: "GET",
    path: "/x/7",
    startedAt: 0,
    ...(route && { route }),
  };
  const listed = [
    ...Array.from({ length: handling }, (_, n) => ({
      ...common,
      ageMs: 95_500 - n,
      phase: "handling" as const,
    })),
    ...Array.from({ length: receiving }, () => ({ ...common, ageMs: 99_000, phase: "receiving" as const })),
  ].slice(0, 20);
  return { longRequests: { count: handling + receiving, handling, listed } };
};

const cases: Case[] = [
  { when: "nothing is wrong", given: {}, status: "healthy" },
  {
    when: "a request has no response for more than a minute",
    given: long(1, 0, "/x/{id}"),
    status: "degraded",
    reasons: ["1 request has had no response for more than 60 s. The oldest is GET /x/{id}, after 95 s."],
  },
  {
    when: "thousands of requests have no response",
    given: long(3_000, 1),
    status: "degraded",
    reasons: [
      "3,000 requests have had no response for more than 60 s. The oldest is GET (unmatched), after 95 s.",
    ],
  },
  { when: "a client takes minutes to send a request", given: long(0, 30), status: "healthy" },
  { when: "the loop is as late as may be", given: loop(199), status: "healthy" },
  {
    when: "the loop is late",
    given: loop(340),
    status: "degraded",
    reasons: ["The p99 of the event loop delay is 340 ms: the main thread is blocked."],
  },
  { when: "the loop is late by seconds", given: loop(1_000), status: "failing" },
  { when: "the loop was late while the program started", given: loop(5_000, 9), status: "healthy" },
  {
    when: "the loop was held up once",
    given: { seconds: [...minute({ "loop.delay_p99_ms": 5 }, 59), { "loop.delay_p99_ms": 5_000 }] },
    status: "healthy",
  },
  { when: "a twentieth of the disk is left", given: disk(2 * gigabyte), status: "healthy" },
  {
    when: "less of the disk is left",
    given: disk(1.24 * gigabyte),
    status: "degraded",
    reasons: ["The disk of the data folder has 3.1 % free: 1.24 GB of 40 GB."],
  },
  {
    when: "nothing of the disk is left",
    given: disk(0),
    status: "failing",
    reasons: ["The disk of the data folder has 0 % free: 0 bytes of 40 GB."],
  },
  { when: "a disk has no size", given: disk(0, 0), status: "healthy" },
  {
    when: "the disk will be full within the day",
    given: { diskForecast: { growthPerDay: 2.1e9, daysToFull: 0.58 } },
    status: "degraded",
    reasons: ["The disk of the data folder will be full in about 14 hours: usage grows by 2.1 GB per day."],
  },
  {
    when: "the disk will be full in a day",
    given: { diskForecast: { growthPerDay: 1, daysToFull: 1 } },
    status: "healthy",
  },
  { when: "the container has memory left", given: container(460e6), status: "healthy" },
  {
    when: "the container's memory is nearly used up",
    given: container(482e6),
    status: "degraded",
    reasons: ["The container uses 94.1 % of its memory limit: 482 MB of 512 MB."],
  },
  { when: "the container is about to be killed", given: container(500e6), status: "failing" },
  {
    when: "the heap is nearly full",
    given: heap(3.9e9),
    status: "degraded",
    reasons: ["The heap is 92.9 % full: 3.9 GB of 4.2 GB."],
  },
  {
    when: "several things are wrong",
    given: {
      seconds: minute({ "loop.delay_p99_ms": 1_200, "disk.available_bytes": 1e9, "disk.used_bytes": 39e9 }),
    },
    status: "failing",
    reasons: [
      "The p99 of the event loop delay is 1,200 ms: the main thread is blocked.",
      "The disk of the data folder has 2.5 % free: 1 GB of 40 GB.",
    ],
  },
];

describe("the system", () => {
  for (const { when, given, status, reasons } of cases) {
    it(`is ${status} when ${when}`, () => {
      const issues = findSystemIssues({ ...fine, ...given });
      const statuses = new Set(issues.map((issue) => issue.status));
      assert.equal(
        statuses.has("failing") ? "failing" : statuses.has("degraded") ? "degraded" : "healthy",
        status,
      );
      if (reasons)
        assert.deepEqual(
          issues.map(({ message }) => message),
          reasons,
        );
    });
  }
});
