import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { until } from "../src/lib/testing/until.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };

/** An application with jobs that take parameters and fail, and a superuser who calls it. */
async function createQueueApp(t: TestContext) {
  const app = createTestApp(t);
  const seen: unknown[] = [];
  const parameters = z.object({ day: z.iso.date() });
  app.jobs.registerJob("report", "Report", "", "0 0 1 1 *", (log) => seen.push(log.parameters), {
    parameters,
  });
  app.jobs.registerJob("any", "Any", "", "0 0 1 1 *", (log) => seen.push(log.parameters));
  app.jobs.registerJob(
    "broken",
    "Broken",
    "",
    "0 0 1 1 *",
    () => {
      throw new Error("out of order");
    },
    { retries: { count: 1, delayMs: 3_600_000 } },
  );
  await app.superusers.create(ada.identity, ada.password);
  await app.start();
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: ada });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const call = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const response = await app.inject({
      method,
      url: `/api/cron${path}`,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: response.json<Record<string, unknown>>() };
  };
  const untilStatus = (runId: string, status: string) =>
    until(
      `run ${runId} is ${status}`,
      () => call("GET", `/runs/${runId}`),
      ({ body }) => body.status === status,
    );
  return { app, call, seen, untilStatus };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe("POST /api/cron/jobs/{id}/run with a body", () => {
  it("passes parameters to the job and records them, redacted in responses", async (t) => {
    const { call, seen, untilStatus, app } = await createQueueApp(t);
    const parameters = { user: 7, apiKey: "hunter2-hunter2" };
    const { status, body } = await call("POST", "/jobs/any/run", { parameters });
    assert.equal(status, 200);
    const id = body.run_id as string;
    const run = (await untilStatus(id, "success")).body;
    assert.deepEqual(seen, [parameters]);
    assert.deepEqual(run.parameters, { user: 7, apiKey: "[redacted]" });
    const page = (await call("GET", "/logs/any?view=full")).body as { items: { parameters: unknown }[] };
    assert.deepEqual(page.items[0]!.parameters, run.parameters);
    assert.ok(!("parameters" in ((await call("GET", "/logs/any")).body.items as object[])[0]!));
    assert.deepEqual((await app.jobs.findRun(id)).parameters, parameters);
  });

  it("accepts any JSON value, and an empty object like no body", async (t) => {
    const { call, seen, untilStatus } = await createQueueApp(t);
    for (const body of [
      { parameters: [1, null] },
      { parameters: null },
      { parameters: false },
      {},
      undefined,
    ]) {
      const { run_id } = (await call("POST", "/jobs/any/run", body)).body;
      await untilStatus(run_id as string, "success");
    }
    assert.deepEqual(seen, [[1, null], null, false, undefined, undefined]);
  });

  for (const [what, body, message] of [
    ["parameters that the schema refuses", { parameters: { day: "today" } }, /not valid: day: /],
    [
      "a time without an offset",
      { run_at: "2026-03-01T06:00" },
      /run_at must be an ISO 8601 time with an offset/,
    ],
    ["a time that is not one", { run_at: "soon" }, /run_at must be/],
    ["a number as time", { run_at: 1 }, /run_at must be/],
    ["a time after the year 9999", { run_at: "+012026-03-01T06:00:00Z" }, /run_at must be/],
    ["an unknown field", { params: {} }, /Unknown field params; use parameters and run_at\./],
    ["an array", [1], /body must be a JSON object/],
    ["parameters that are too large", { parameters: "x".repeat(65_600) }, /at most 64 KB/],
    ["parameters with too many bytes", { parameters: "ä".repeat(32_800) }, /at most 64 KB/],
  ] as const) {
    it(`refuses ${what}`, async (t) => {
      const { call, app } = await createQueueApp(t);
      const refused = await call("POST", "/jobs/report/run", body);
      assert.equal(refused.status, 400);
      assert.match(refused.body.message as string, message);
      assert.equal((await app.jobs.logs()).totalItems, 0);
      assert.deepEqual(await app.jobs.listQueued(), []);
    });
  }

  it("refuses a body that is larger than any parameters", async (t) => {
    const { call } = await createQueueApp(t);
    assert.equal((await call("POST", "/jobs/any/run", { parameters: "x".repeat(100_000) })).status, 413);
  });

  it("queues a run for a time, which can be read, listed and cancelled", async (t) => {
    const { call, app } = await createQueueApp(t);
    const run_at = inAnHour();
    const parameters = { day: "2026-03-01", token: "hunter2-hunter2" };
    const { status, body } = await call("POST", "/jobs/report/run", { parameters, run_at });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["message", "job_id", "run_id", "run_at"]);
    assert.equal(body.message, `A run of job "report" is queued for ${run_at}.`);
    const queued = (await call("GET", `/runs/${body.run_id}`)).body;
    assert.partialDeepStrictEqual(queued, {
      id: body.run_id,
      job_id: "report",
      status: "queued",
      run_at,
      trigger: "manual",
      actor: ada.identity,
      attempt: 1,
      parameters: { day: "2026-03-01", token: "[redacted]" },
    });
    assert.deepEqual((await call("GET", "/queue?job_id=report")).body, [queued]);
    assert.deepEqual((await call("GET", "/queue?job_id=any")).body, []);
    const cancelled = await call("POST", `/runs/${body.run_id}/cancel`);
    assert.equal(cancelled.body.message, `Run "${body.run_id}" is removed from the queue.`);
    assert.equal((await call("GET", `/runs/${body.run_id}`)).status, 404);
    assert.equal((await call("POST", `/runs/${body.run_id}/cancel`)).status, 404);
    assert.deepEqual(await app.jobs.listQueued(), []);
  });

  it("starts a queued run when it is due, with the same ID", async (t) => {
    const { call, seen, untilStatus } = await createQueueApp(t);
    const run_at = new Date(Date.now() + 300).toISOString();
    const { run_id } = (await call("POST", "/jobs/any/run", { run_at, parameters: 1 })).body;
    const run = (await untilStatus(run_id as string, "success")).body;
    assert.equal(run.scheduled_at, run_at);
    assert.deepEqual(seen, [1]);
  });
});

describe("the attempts of a run", () => {
  it("are shown with each of them, and the queued one", async (t) => {
    const { call, untilStatus } = await createQueueApp(t);
    const { run_id } = (await call("POST", "/jobs/broken/run")).body;
    const failed = (await untilStatus(run_id as string, "failed")).body;
    assert.ok(!("attempts" in failed));
    const retry = failed.retry as Record<string, unknown>;
    assert.partialDeepStrictEqual(retry, {
      status: "queued",
      trigger: "retry",
      attempt: 2,
      retry_of: run_id,
      reason: "failed",
    });
    // Cancelling the retry leaves the run as it is.
    await call("POST", `/runs/${retry.id}/cancel`);
    assert.ok(!("retry" in (await call("GET", `/runs/${run_id}`)).body));
  });
});
