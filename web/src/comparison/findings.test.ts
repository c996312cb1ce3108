import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Compared, findDifferences } from "./findings.ts";

const nothing: Compared = {
  routes: { before: [], after: [] },
  errors: { before: [], after: [] },
  runs: { before: [], after: [] },
  clients: { before: [], after: [] },
  instances: { before: {}, after: {} },
};

type Route = Compared["routes"]["before"][number];

const route = (name: string, count: number, status_5xx: number, p95_ms: number): Route => ({
  route: name,
  count,
  status_1xx: 0,
  status_2xx: count - status_5xx,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx,
  aborted: 0,
  bytes_in: 0,
  bytes_out: 0,
  total_ms: count * p95_ms,
  p95_ms,
});

const inBrief = (compared: Partial<Compared>) =>
  findDifferences({ ...nothing, ...compared }).map(({ id, changes }) => [id, ...changes]);

describe("the differences between two periods", () => {
  it("name the failing route first, then the slow one, and not the constant ones", () => {
    const found = inBrief({
      routes: {
        before: [
          route("GET /", 7_000, 0, 2),
          route("POST /checkout", 1_000, 10, 20),
          route("GET /search", 2_000, 0, 40),
        ],
        after: [
          route("GET /", 7_050, 1, 2.1),
          route("POST /checkout", 1_000, 340, 20),
          route("GET /search", 2_000, 0, 1_000),
        ],
      },
    });
    assert.deepEqual(found, [
      ["route POST /checkout", "34 % errors, 1 % before"],
      ["route GET /search", "p95 1 s, 40 ms before"],
    ]);
  });

  it("ignore what a handful of requests does", () => {
    const found = inBrief({
      routes: {
        before: [route("GET /a", 4, 0, 5), route("GET /b", 100, 1, 5)],
        after: [route("GET /a", 6, 1, 400), route("GET /b", 110, 3, 6)],
      },
    });
    assert.deepEqual(found, []);
  });

  it("name routes and clients with much more or much less traffic", () => {
    const found = inBrief({
      routes: { before: [route("GET /a", 100, 0, 5)], after: [route("GET /a", 900, 0, 5)] },
      clients: {
        before: [
          { ip: "10.0.0.1", count: 90 },
          { ip: "10.0.0.3", count: 200 },
        ],
        after: [
          { ip: "10.0.0.1", count: 95 },
          { ip: "10.0.0.2", count: 800 },
        ],
      },
    });
    assert.deepEqual(found, [
      ["route GET /a", "900 requests, 100 before"],
      ["client 10.0.0.2", "800 requests, 0 before"],
      ["client 10.0.0.3", "0 requests, 200 before"],
    ]);
  });

  it("name new errors even if they occurred once, and errors that became more frequent", () => {
    const error = (fingerprint: string, count: number) =>
      ({ fingerprint, type: "Timeout", origin: "GET /", count }) as Compared["errors"]["before"][number];
    const found = inBrief({
      errors: {
        before: [error("noise", 57), error("rising", 5)],
        after: [error("noise", 60), error("rising", 80), error("new", 1)],
      },
    });
    assert.deepEqual(found, [
      ["error rising", "80 times, 5 before"],
      ["error new", "new, 1 time"],
    ]);
  });

  it("name jobs that began to fail, and jobs that recovered", () => {
    const run = (job_id: string, status: string) =>
      ({ job_id, job_name: job_id, status }) as Compared["runs"]["before"][number];
    const found = inBrief({
      runs: {
        before: [run("report", "success"), run("sync", "failed"), run("index", "failed")],
        after: [
          run("index", "failed"),
          run("report", "failed"),
          run("report", "timeout"),
          run("sync", "success"),
          run("index", "failed"),
        ],
      },
    });
    assert.deepEqual(found, [
      ["job report", "2 of 2 runs failed, before: 0 of 1 runs failed"],
      ["job sync", "0 of 1 runs failed, before: 1 of 1 runs failed"],
    ]);
  });

  it("name instances that started, stopped or became busy", () => {
    const cpu = (mean: number) => ({ "process.cpu_ratio": { mean, max: mean, last: mean } });
    const found = inBrief({
      instances: {
        before: { "web-1": cpu(0.2), "web-2": cpu(0.2), "web-3": cpu(0.1) },
        after: { "web-1": cpu(0.9), "web-3": cpu(0.12), "web-4": cpu(0.3) },
      },
    });
    assert.deepEqual(found, [
      ["instance web-1", "90 % of a core, 20 % before"],
      ["instance web-4", "not running before"],
      ["instance web-2", "not running any more"],
    ]);
  });
});
