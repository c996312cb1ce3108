import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import PocketBase, { ClientResponseError } from "pocketbase";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, AppOptions, ServeEvent } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };

/** What Annex brings itself. */
const systemJobs = ["__svcLogClean__", "__svcMetricsRollup__", "__svcVisitors__", "__svcAccessClean__"];

interface CronResponse {
  status: number;
  body: Record<string, unknown>;
}

type Call = (method: "GET" | "POST" | "DELETE", url: string, body?: unknown) => Promise<CronResponse>;

/** An application with a few jobs, and a superuser who calls it. */
async function createCronApp(
  t: TestContext,
  options: AppOptions = {},
  onServe: (e: ServeEvent) => void = () => {},
) {
  const app = createTestApp(t, options);
  app.onServe(onServe);
  const gate = Promise.withResolvers<void>();
  app.authenticate((e) => (e.header("x-api-key") === "robot" ? { id: "robot" } : null));
  app.jobs.registerJob("report", "Daily report", "Sends the figures", "0 6 * * *", (log) => {
    log.start("Collecting");
    log.success("Sent");
  });
  app.jobs.registerJob("slow", "Slow", "Waits for the test", "0 0 1 1 *", async (log) => {
    log.info("waiting");
    await Promise.race([
      gate.promise,
      new Promise((resolve) => log.signal.addEventListener("abort", resolve)),
    ]);
  });
  app.jobs.registerJob("broken", "Broken", "Fails", "0 0 1 1 *", () => {
    throw new Error("out of order");
  });
  t.after(() => gate.resolve());
  const list = await app.superusers.list();
  if (list.length === 0) await app.superusers.create(ada.identity, ada.password);
  const login = await app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    body: ada,
  });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const call: Call = async (method, url, body) => {
    const response = await app.inject({
      method,
      url: `/api/cron${url}`,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: response.json() };
  };
  /** Runs a job and waits for its end. */
  const finish = async (id: string) => {
    const { body } = await call("POST", `/jobs/${id}/run`);
    return waitForEnd(call, body.run_id as string);
  };
  return { app, call, finish, headers, open: gate.resolve };
}

async function waitForEnd(call: Call, runId: string): Promise<Record<string, unknown>> {
  const { body } = await until(
    `run ${runId} ends`,
    () => call("GET", `/runs/${runId}`),
    ({ body }) => body.status !== "running",
  );
  return body;
}

const isTime = (value: unknown) => typeof value === "string" && new Date(value).toISOString() === value;

describe("who may use the cron API", () => {
  const routes: [method: "GET" | "POST" | "DELETE", url: string][] = [
    ["GET", "/jobs"],
    ["GET", "/jobs/report"],
    ["POST", "/jobs/report/run"],
    ["DELETE", "/jobs/report"],
    ["POST", "/jobs/report/pause"],
    ["POST", "/jobs/report/resume"],
    ["POST", "/jobs/report/restore"],
    ["GET", "/jobs/report/next"],
    ["GET", "/next?schedule=*+*+*+*+*"],
    ["GET", "/status"],
    ["POST", "/config/timezone"],
    ["GET", "/logs"],
    ["GET", "/logs/report"],
    ["GET", "/logs/analytics"],
    ["GET", "/queue"],
    ["GET", "/runs/x"],
    ["POST", "/runs/x/cancel"],
    ["GET", "/runs/x/stream"],
  ];
  const dataRoutes = ["", "/jobs/report", "/timeline", "/timezone?timezone=UTC", "/timezones"];

  it("only superusers, on any route", async (t) => {
    const { app } = await createCronApp(t);
    const all = [
      ...routes.map(([method, path]) => [method, `/api/cron${path}`] as const),
      ...dataRoutes.map((path) => ["GET", `/_/_/data/cron${path}`] as const),
    ];
    for (const [method, url] of all) {
      const statusWith = async (headers: Record<string, string>) =>
        (await app.inject({ method, url, headers })).status;
      assert.equal(await statusWith({}), 401, `${method} ${url}`);
      assert.equal(await statusWith({ authorization: "Bearer nonsense" }), 401, `${method} ${url}`);
      assert.equal(await statusWith({ "x-api-key": "robot" }), 403, `${method} ${url}`);
    }
  });

  it("only superusers, also where there is no route", async (t) => {
    const { app, headers } = await createCronApp(t);
    const unmatched = [
      ["PUT", "/api/cron/jobs/report", 405],
      ["DELETE", "/api/cron/status", 405],
      ["GET", "/api/cron", 404],
      ["GET", "/api/cron/", 404],
      ["HEAD", "/api/cron/x", 404],
      ["POST", "/api/cron/jobs/a/b/c", 404],
      ["GET", "/api/cr%6Fn/x", 404],
      ["OPTIONS", "/api/cron/x", 404],
      ["PROPFIND", "/api/cron/jobs", 405],
      ["OPTIONS", "/api/cron/runs/x/stream", 204],
    ] as const;
    for (const [method, url, status] of unmatched) {
      const statusWith = async (given: Record<string, string>) =>
        (await app.inject({ method, url, headers: given })).status;
      assert.equal(await statusWith({}), 401, `${method} ${url}`);
      assert.equal(await statusWith({ authorization: "Bearer nonsense" }), 401, `${method} ${url}`);
      assert.equal(await statusWith({ "x-api-key": "robot" }), 403, `${method} ${url}`);
      assert.equal(await statusWith(headers), status, `${method} ${url}`);
    }
    const response = await app.inject({ method: "PUT", url: "/api/cron/jobs/report", headers });
    assert.equal(response.headers.allow, "DELETE, GET, HEAD, OPTIONS");
    assert.equal((await app.inject({ url: "/api/cronology" })).status, 404);
  });

  it("OPTIONS lists the methods for superusers", async (t) => {
    const { app, headers } = await createCronApp(t);
    const options = { method: "OPTIONS", url: "/api/cron/jobs/report/run" };
    assert.equal((await app.inject(options)).status, 401);
    const response = await app.inject({ ...options, headers });
    assert.equal(response.status, 204);
    assert.equal(response.headers.allow, "POST, OPTIONS");
  });

  it("nothing of it is kept by caches", async (t) => {
    const { app, headers } = await createCronApp(t);
    const response = await app.inject({ url: "/api/cron/jobs", headers });
    assert.equal(response.headers["cache-control"], "no-store");
  });

  it("no middleware of the application runs on it", async (t) => {
    const { call } = await createCronApp(t, {}, ({ router }) => router.bind(() => assert.fail("it ran")));
    assert.equal((await call("GET", "/jobs")).status, 200);
  });
});

describe("GET /api/cron/jobs", () => {
  it("is an array of jobs with exactly the contract's fields", async (t) => {
    const { call, finish } = await createCronApp(t);
    await finish("report");
    const jobs = (await call("GET", "/jobs")).body as unknown as Record<string, unknown>[];
    assert.ok(Array.isArray(jobs));
    assert.deepEqual(
      jobs.map(({ id }) => id),
      ["report", "slow", "broken", ...systemJobs],
    );
    const [report, slow] = jobs;
    const { next_run, last_run, ...rest } = report!;
    assert.deepEqual(rest, {
      id: "report",
      name: "Daily report",
      description: "Sends the figures",
      schedule: "0 6 * * *",
      is_system: false,
      last_status: "success",
    });
    assert.ok(isTime(next_run) && isTime(last_run));
    assert.equal(new Date(next_run as string).getUTCHours(), 6);
    assert.deepEqual(Object.keys(slow!), ["id", "name", "description", "schedule", "is_system", "next_run"]);
    const cleanup = jobs.find(({ id }) => id === "__svcLogClean__")!;
    assert.equal(cleanup.name, "System Log Cleanup");
    assert.equal(cleanup.is_system, true);
    assert.match(cleanup.schedule as string, /^\d+ \d+ \* \* \*$/);
  });

  it("show_system=false and active_only=true filter, anything else in them is refused", async (t) => {
    const { call } = await createCronApp(t);
    await call("POST", "/jobs/slow/pause");
    const ids = async (query: string) =>
      ((await call("GET", `/jobs?${query}`)).body as unknown as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(await ids("show_system=false"), ["report", "slow", "broken"]);
    assert.deepEqual(await ids("active_only=true"), ["report", "broken", ...systemJobs]);
    assert.deepEqual(await ids("show_system=false&active_only=true"), ["report", "broken"]);
    assert.deepEqual(await ids("show_system=true&active_only=false"), [
      "report",
      "slow",
      "broken",
      ...systemJobs,
    ]);
    const refused = await call("GET", "/jobs?show_system=perhaps");
    assert.equal(refused.status, 400);
    assert.partialDeepStrictEqual(refused.body, { data: { show_system: { code: "invalid" } } });
  });

  it("view=full and a single job contain all fields", async (t) => {
    const { call } = await createCronApp(t);
    const full = {
      paused: false,
      timezone: "UTC",
      overlap: "skip",
      catch_up: "skip",
      retries: 0,
      on_interrupt: "ignore",
    };
    const list = (await call("GET", "/jobs?view=full")).body as unknown as object[];
    assert.partialDeepStrictEqual(list[0], { id: "report", ...full });
    assert.partialDeepStrictEqual((await call("GET", "/jobs/report")).body, { id: "report", ...full });
    assert.equal((await call("GET", "/jobs/nothing")).status, 404);
    assert.equal((await call("GET", "/jobs?view=nonsense")).status, 400);
  });
});

describe("POST /api/cron/jobs/{id}/run", () => {
  it("starts the job at once, does not wait, and says which run it is", async (t) => {
    const { app, call, headers } = await createCronApp(t);
    const response = await app.inject({ method: "POST", url: "/api/cron/jobs/slow/run", headers });
    assert.equal(response.status, 200);
    const body = response.json<Record<string, string>>();
    assert.deepEqual(Object.keys(body), ["message", "job_id", "run_id"]);
    assert.equal(body.job_id, "slow");
    assert.match(body.message!, /"slow" started/);
    const run = (await call("GET", `/runs/${body.run_id}`)).body;
    assert.partialDeepStrictEqual(run, {
      id: body.run_id,
      job_id: "slow",
      status: "running",
      trigger: "manual",
      actor: ada.identity,
      trace_id: response.headers["x-trace-id"],
      attempt: 1,
    });
    assert.ok(!("end_time" in run) && !("duration_ms" in run));
  });

  it("409 while a run is in progress, and nothing is started", async (t) => {
    const { call, open } = await createCronApp(t);
    const first = (await call("POST", "/jobs/slow/run")).body.run_id as string;
    const refused = await call("POST", "/jobs/slow/run");
    assert.equal(refused.status, 409);
    assert.deepEqual(Object.keys(refused.body), ["status", "message", "data", "trace_id"]);
    assert.equal((await call("GET", "/logs/slow")).body.totalItems, 1);
    open();
    await waitForEnd(call, first);
    assert.equal((await call("POST", "/jobs/slow/run")).status, 200);
  });

  it("404 for an unknown id", async (t) => {
    const { call } = await createCronApp(t);
    for (const id of ["nothing", "__svcNothing", "%E2%82%AC", "a%2Fb", `${"x".repeat(300)}`]) {
      assert.equal((await call("POST", `/jobs/${id}/run`)).status, 404, id);
    }
  });

  it("a system job can be run", async (t) => {
    const { finish } = await createCronApp(t);
    const run = await finish("__svcLogClean__");
    assert.equal(run.status, "success");
    assert.match(run.output as string, /Deleted 0 job logs/);
  });
});

describe("DELETE /api/cron/jobs/{id}", () => {
  it("removes the job permanently, and restore undoes it", async (t) => {
    const first = await createCronApp(t);
    const { status, body } = await first.call("DELETE", "/jobs/report");
    assert.equal(status, 200);
    assert.deepEqual(body, { message: 'Job "report" removed.', job_id: "report" });
    assert.equal((await first.call("POST", "/jobs/report/run")).status, 404);
    assert.equal((await first.call("DELETE", "/jobs/report")).status, 404);
    await first.app.stop();

    const second = await createCronApp(t, { dataDir: first.app.dataDir });
    const ids = async () =>
      ((await second.call("GET", "/jobs")).body as unknown as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(await ids(), ["slow", "broken", ...systemJobs]);
    const all = (await second.call("GET", "/jobs?show_removed=true&view=full")).body as unknown as object[];
    assert.partialDeepStrictEqual(all[0], { id: "report", removed: true });
    assert.equal((await second.call("POST", "/jobs/report/restore")).status, 200);
    assert.ok((await ids()).includes("report"));
    assert.equal((await second.call("POST", "/jobs/nothing/restore")).status, 404);
  });

  it("403 for a system job, which stays; 404 for an unknown one", async (t) => {
    const { call } = await createCronApp(t);
    const refused = await call("DELETE", "/jobs/__svcLogClean__");
    assert.equal(refused.status, 403);
    assert.match(refused.body.message as string, /system job and cannot be removed/);
    assert.equal((await call("GET", "/jobs/__svcLogClean__")).status, 200);
    assert.equal((await call("DELETE", "/jobs/nothing")).status, 404);
  });
});

describe("GET /api/cron/status and POST /api/cron/config/timezone", () => {
  it("status: running, jobs_count, timezone, uptime_seconds", async (t) => {
    const { app, call } = await createCronApp(t);
    assert.deepEqual((await call("GET", "/status")).body, {
      running: false,
      jobs_count: 3 + systemJobs.length,
      timezone: "UTC",
      uptime_seconds: 0,
    });
    await app.start();
    const { body } = await call("GET", "/status");
    assert.equal(body.running, true);
    assert.ok(Number.isInteger(body.uptime_seconds));
  });

  it("another zone counts at once, and after a restart", async (t) => {
    const first = await createCronApp(t);
    const { status, body } = await first.call("POST", "/config/timezone", { timezone: "Asia/Tokyo" });
    assert.equal(status, 200);
    assert.deepEqual(body, { message: "Time zone set to Asia/Tokyo.", timezone: "Asia/Tokyo" });
    const nextHour = async (call: Call) =>
      new Date((await call("GET", "/jobs/report")).body.next_run as string).getUTCHours();
    assert.equal(await nextHour(first.call), 21);
    await first.app.stop();
    const second = await createCronApp(t, { dataDir: first.app.dataDir });
    assert.equal((await second.call("GET", "/status")).body.timezone, "Asia/Tokyo");
    assert.equal(await nextHour(second.call), 21);
  });

  it("400 for a zone that is missing, no text, or no IANA name; the old one stays", async (t) => {
    const { app, call, headers } = await createCronApp(t);
    for (const body of [
      {},
      null,
      [],
      { timezone: 5 },
      { timezone: "" },
      { timezone: "Mars/X" },
      { timezone: "+02:00" },
      { timezone: "BST" },
    ]) {
      assert.equal((await call("POST", "/config/timezone", body)).status, 400, JSON.stringify(body));
    }
    const post = async (payload: string, type: string) =>
      (
        await app.inject({
          method: "POST",
          url: "/api/cron/config/timezone",
          headers: { ...headers, "content-type": type },
          body: payload,
        })
      ).status;
    assert.equal(await post("{", "application/json"), 400);
    assert.equal(await post('"UTC"', "application/json"), 400);
    assert.equal((await call("POST", "/config/timezone")).status, 400);
    const { body } = await call("POST", "/config/timezone", { timezone: "Mars/X" });
    assert.partialDeepStrictEqual(body, { data: { timezone: { code: "invalid" } } });
    const { message } = (await call("POST", "/config/timezone", { timezone: "BST" })).body;
    assert.equal(message, '"BST" is not a valid time zone. Use Europe/London or Asia/Dhaka.');
    assert.equal(await post(`{"timezone":"${"x".repeat(10_000)}"}`, "application/json"), 413);
    assert.equal((await call("GET", "/status")).body.timezone, "UTC");
  });

  it("the option gives the zone of a fresh installation", async (t) => {
    const { call } = await createCronApp(t, { cron: { timezone: "europe/berlin" } });
    assert.equal((await call("GET", "/status")).body.timezone, "Europe/Berlin");
  });
});

describe("GET /api/cron/logs", () => {
  it("a page with exactly the contract's fields", async (t) => {
    const { call, finish } = await createCronApp(t);
    await finish("report");
    await finish("broken");
    const { body } = await call("GET", "/logs");
    assert.deepEqual(Object.keys(body), ["page", "perPage", "totalPages", "totalItems", "items"]);
    assert.partialDeepStrictEqual(body, { page: 1, perPage: 20, totalPages: 1, totalItems: 2 });
    const [broken, report] = body.items as Record<string, unknown>[];
    const { id, start_time, end_time, duration_ms, output, ...rest } = report!;
    assert.deepEqual(rest, { job_id: "report", job_name: "Daily report", status: "success" });
    assert.equal(typeof id, "string");
    assert.ok(isTime(start_time) && isTime(end_time) && Number.isInteger(duration_ms));
    assert.deepEqual(JSON.parse(output as string), [
      { level: "start", message: "Collecting" },
      { level: "success", message: "Sent" },
    ]);
    assert.partialDeepStrictEqual(broken, { job_id: "broken", status: "failed" });
    assert.match(broken!.output as string, /out of order/);
    const full = (await call("GET", "/logs?view=full")).body.items as object[];
    assert.partialDeepStrictEqual(full[0], { trigger: "manual", actor: ada.identity, attempt: 1 });
  });

  it("of one job; of an unknown one an empty page", async (t) => {
    const { call, finish } = await createCronApp(t);
    await finish("report");
    await finish("broken");
    assert.partialDeepStrictEqual((await call("GET", "/logs/broken")).body, {
      totalItems: 1,
      items: [{ job_id: "broken" }],
    });
    const { status, body } = await call("GET", "/logs/nothing");
    assert.equal(status, 200);
    assert.deepEqual(body, { page: 1, perPage: 20, totalPages: 0, totalItems: 0, items: [] });
  });

  it("paging and sorting", async (t) => {
    const { call, finish } = await createCronApp(t);
    for (const id of ["report", "broken", "report"]) await finish(id);
    const jobIds = async (query: string) => {
      const { body } = await call("GET", `/logs?${query}`);
      assert.equal(body.totalItems, 3);
      return (body.items as { job_id: string }[]).map(({ job_id }) => job_id);
    };
    assert.deepEqual(await jobIds("sort=job_id"), ["broken", "report", "report"]);
    assert.deepEqual(await jobIds("sort="), await jobIds("sort=-start_time"));
    assert.deepEqual(await jobIds("sort=-job_id"), ["report", "report", "broken"]);
    assert.deepEqual(await jobIds("sort=status,-start_time"), ["broken", "report", "report"]);
    assert.deepEqual(await jobIds("sort=start_time&perPage=2"), ["report", "broken"]);
    assert.deepEqual(await jobIds("sort=start_time&perPage=2&page=2"), ["report"]);
    assert.deepEqual(await jobIds("perPage=2&page=99"), []);
    assert.deepEqual(await jobIds(`perPage=100&page=${Number.MAX_SAFE_INTEGER}`), []);
    assert.partialDeepStrictEqual((await call("GET", "/logs?perPage=1000")).body, { perPage: 100 });
    assert.partialDeepStrictEqual((await call("GET", "/logs?perPage=2")).body, { totalPages: 2 });
    for (const field of ["start_time", "end_time", "duration_ms", "status", "job_id", "job_name", "id"]) {
      assert.equal((await jobIds(`sort=-${field}`)).length, 3, field);
    }
  });

  it("filters lead from a request to the runs it asked for", async (t) => {
    const { app, call, headers } = await createCronApp(t, {}, ({ router }) => {
      router.post("/orders", async (e) => {
        const { id } = await app.jobs.run("report");
        return e.json(200, { run: id });
      });
    });
    const order = await app.inject({ method: "POST", url: "/orders" });
    const traceId = order.headers["x-trace-id"] as string;
    await waitForEnd(call, order.json<{ run: string }>().run);
    const started = await app.inject({ method: "POST", url: "/api/cron/jobs/broken/run", headers });
    await waitForEnd(call, started.json<{ run_id: string }>().run_id);
    const jobIds = async (query: string, path = "/logs") => {
      const { body } = await call("GET", `${path}?${query}`);
      const items = body.items as { job_id: string }[];
      assert.equal(body.totalItems, items.length, query);
      return items.map(({ job_id }) => job_id);
    };
    assert.deepEqual(await jobIds(`trace_id=${traceId}`), ["report"]);
    assert.deepEqual(await jobIds(`trace_id=${started.headers["x-trace-id"]}`), ["broken"]);
    assert.deepEqual(await jobIds("trace_id=nothing"), []);
    assert.deepEqual(await jobIds(`trace_id=${traceId}`, "/logs/broken"), []);
    assert.deepEqual(await jobIds("status=failed,timeout"), ["broken"]);
    assert.deepEqual(await jobIds("status=success&trigger=manual"), ["report"]);
    assert.deepEqual(await jobIds("trigger=schedule,retry"), []);
    assert.deepEqual(await jobIds("from=2026-01-01&to=2100-01-01"), ["broken", "report"]);
    assert.deepEqual(await jobIds("to=1000"), []);
    assert.deepEqual(await jobIds("trace_id=&status=&trigger=&from=&to="), ["broken", "report"]);
    const { items } = await app.jobs.logs({ traceId, status: "success", from: new Date(0) });
    assert.equal(items.length, 1);
    for (const [query, field] of [
      ["status=bad", "status"],
      ["status=failed,", "status"],
      ["trigger=Manual", "trigger"],
      ["from=yesterday", "from"],
      ["to=2026-02-30", "to"],
      ["from=2000&to=1000", "to"],
      [`trace_id=${"x".repeat(129)}`, "trace_id"],
      ["trace_id=%00", "trace_id"],
    ] as const) {
      for (const path of ["/logs", "/logs/report"]) {
        const { status, body } = await call("GET", `${path}?${query}`);
        assert.equal(status, 400, query);
        assert.partialDeepStrictEqual(body, { data: { [field]: { code: "invalid" } } });
      }
    }
  });

  it("400 for an invalid page, size or field", async (t) => {
    const { call } = await createCronApp(t);
    for (const query of [
      "page=0",
      "page=-1",
      "page=x",
      "page=1.5",
      "page=",
      "perPage=0",
      "perPage=abc",
      "page=99999999999999999999",
      "page=1&page=2",
      "perPage=5&perPage=5",
      "sort=id&sort=-id",
    ]) {
      assert.equal((await call("GET", `/logs?${query}`)).status, 400, query);
    }
    for (const sort of ["output", "-", "start_time;drop", "start_time,", "--id", "START_TIME"]) {
      const { status, body } = await call("GET", `/logs?sort=${sort}`);
      assert.equal(status, 400, sort);
      assert.match(body.message as string, /start_time, end_time, duration_ms, status, job_id, job_name, id/);
    }
  });
});

describe("GET /api/cron/logs/analytics", () => {
  it("zeros when nothing ran", async (t) => {
    const { call } = await createCronApp(t);
    assert.deepEqual((await call("GET", "/logs/analytics")).body, {
      total_executions: 0,
      success_count: 0,
      failed_count: 0,
      success_rate: 0,
      avg_duration_ms: 0,
      by_job: [],
    });
  });

  it("counts finished runs only, over all and job by job", async (t) => {
    const { call, finish } = await createCronApp(t);
    for (const id of ["report", "report", "broken"]) await finish(id);
    await call("POST", "/jobs/slow/run");
    const { body } = await call("GET", "/logs/analytics");
    assert.partialDeepStrictEqual(body, {
      total_executions: 3,
      success_count: 2,
      failed_count: 1,
      success_rate: 66.7,
    });
    assert.equal(typeof body.avg_duration_ms, "number");
    const byJob = body.by_job as Record<string, unknown>[];
    assert.deepEqual(
      byJob.map(({ avg_duration_ms, ...rest }) => rest),
      [
        { job_id: "broken", executions: 1, success_count: 0, failed_count: 1 },
        { job_id: "report", executions: 2, success_count: 2, failed_count: 0 },
      ],
    );
    assert.equal((await call("GET", "/logs")).body.totalItems, 4);
  });
});

describe("beyond the contract", () => {
  it("pause and resume", async (t) => {
    const { call } = await createCronApp(t);
    assert.deepEqual((await call("POST", "/jobs/report/pause")).body, {
      message: 'Job "report" paused.',
      job_id: "report",
    });
    const paused = (await call("GET", "/jobs/report")).body;
    assert.equal(paused.paused, true);
    assert.ok(!("next_run" in paused));
    await call("POST", "/jobs/report/resume");
    assert.ok("next_run" in (await call("GET", "/jobs/report")).body);
    assert.equal((await call("POST", "/jobs/nothing/pause")).status, 404);
    assert.equal((await call("POST", "/jobs/nothing/resume")).status, 404);
  });

  it("cancel", async (t) => {
    const { call } = await createCronApp(t);
    const runId = (await call("POST", "/jobs/slow/run")).body.run_id as string;
    const { status, body } = await call("POST", `/runs/${runId}/cancel`);
    assert.equal(status, 200);
    assert.deepEqual(body, { message: `Run "${runId}" is being cancelled.`, job_id: "slow", run_id: runId });
    const run = await waitForEnd(call, runId);
    assert.equal(run.status, "failed");
    assert.match(run.output as string, /Cancelled by ada@example.com/);
    assert.equal((await call("POST", `/runs/${runId}/cancel`)).status, 409);
    assert.equal((await call("POST", "/runs/nothing/cancel")).status, 404);
    assert.equal((await call("GET", "/runs/nothing")).status, 404);
  });

  it("the next runs of a job, and of an expression in any zone", async (t) => {
    const { call } = await createCronApp(t);
    const job = (await call("GET", "/jobs/report/next?count=3")).body;
    assert.partialDeepStrictEqual(job, { job_id: "report", schedule: "0 6 * * *", timezone: "UTC" });
    assert.equal((job.next_runs as string[]).length, 3);
    const preview = (await call("GET", "/next?schedule=30+4+*+*+MON&timezone=Asia/Tokyo")).body;
    assert.partialDeepStrictEqual(preview, { schedule: "30 4 * * MON", timezone: "Asia/Tokyo" });
    const dates = (preview.next_runs as string[]).map((text) => new Date(text));
    assert.equal(dates.length, 10);
    for (const date of dates)
      assert.deepEqual([date.getUTCDay(), date.getUTCHours(), date.getUTCMinutes()], [0, 19, 30]);
    for (const [given, schedule, day] of [
      ["@weekly", "0 0 * * 0", 0],
      ["0\t6  ? *\tFRIL\n", "0 6 ? * FRIL", 5],
      ["0 6 * * 5#2", "0 6 * * 5#2", 5],
    ] as const) {
      const { body } = await call("GET", `/next?schedule=${encodeURIComponent(given)}`);
      assert.equal(body.schedule, schedule);
      for (const text of body.next_runs as string[]) assert.equal(new Date(text).getUTCDay(), day, given);
    }
    const refused: [url: string, message: RegExp][] = [
      ["/next?schedule=*/30+*+*+*+*+*", /seconds are not supported/],
      ["/next?schedule=@reboot", /@reboot is not supported; call the function after app\.start/],
      ["/next", /schedule is required/],
      ["/next?schedule=99+*+*+*+*", /minute \(field 1, position 1\)/],
      ["/next?schedule=*+*+*+*+*&timezone=Mars", /not a valid time zone/],
      ["/next?schedule=*+*+*+*+*&count=0", /count/],
      ["/next?schedule=*+*+*+*+*&count=x", /count/],
    ];
    for (const [url, message] of refused) {
      const { status, body } = await call("GET", url);
      assert.equal(status, 400, url);
      assert.match(body.message as string, message);
    }
  });
});

describe("GET /api/cron/runs/{run_id}/stream", () => {
  async function readEvents(
    app: App,
    headers: Record<string, string>,
    runId: string,
    onEvent: (event: string) => void,
  ) {
    const { url } = await app.start();
    const response = await fetch(`${url}/api/cron/runs/${runId}/stream`, { headers });
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const events: string[] = [];
    let rest = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split("\n\n");
      rest = parts.pop()!;
      for (const event of parts) {
        events.push(event);
        onEvent(event);
      }
    }
    return events;
  }

  it("streams the output while it is written, and the end", async (t) => {
    const { app, call, headers } = await createCronApp(t);
    let write: ((text: string) => void) | undefined;
    const end = Promise.withResolvers<void>();
    app.jobs.registerJob("talk", "Talk", "", "0 0 1 1 *", async (log) => {
      log.start("one");
      log.progress(0.5);
      write = log.info;
      await end.promise;
    });
    const runId = (await call("POST", "/jobs/talk/run")).body.run_id as string;
    const events = await readEvents(app, headers, runId, (event) => {
      if (event.includes('"50%"')) write!("two");
      if (event.includes('"two"')) end.resolve();
    });
    assert.deepEqual(events.slice(0, 4), [
      'id: 1\nevent: entry\ndata: {"level":"start","message":"one"}',
      'id: 2\nevent: entry\ndata: {"level":"progress","message":"50%"}',
      'event: progress\ndata: {"progress":0.5}',
      'id: 3\nevent: entry\ndata: {"level":"info","message":"two"}',
    ]);
    assert.match(events[4]!, /^id: end\nevent: end\ndata: \{.*"status":"success"/);
    assert.equal(events.length, 5);
  });

  it("of a finished run contains everything, or everything after the last received event", async (t) => {
    const { app, headers, finish, call } = await createCronApp(t);
    const { id } = await finish("report");
    const events = await readEvents(app, headers, id as string, () => {});
    assert.equal(events.length, 3);
    const rest = await readEvents(app, { ...headers, "last-event-id": "1" }, id as string, () => {});
    assert.deepEqual(rest, events.slice(1));
    const { url } = await app.start();
    const stream = `${url}/api/cron/runs/${id}/stream`;
    const again = await fetch(stream, { headers: { ...headers, "last-event-id": "end" } });
    assert.equal(again.status, 204, "an EventSource does not come back");
    assert.equal((await call("GET", "/runs/nothing/stream")).status, 404);
  });

  it("of a run with much output contains the beginning and the end, for fast and slow readers", async (t) => {
    const { app, headers, call } = await createCronApp(t);
    const end = Promise.withResolvers<void>();
    app.jobs.registerJob("talk", "Talk", "", "0 0 1 1 *", async (log) => {
      for (let line = 1; line <= 20_000; line++) log.info(`line ${line}`);
      await end.promise;
      log.info("the last line");
    });
    const runId = (await call("POST", "/jobs/talk/run")).body.run_id as string;
    const events = await readEvents(app, headers, runId, (event) => {
      if (event.includes("line 20000")) end.resolve();
    });
    assert.ok(events.some((event) => event.includes("entries were left out")));
    assert.match(events.at(-2)!, /^id: 20001\nevent: entry\ndata: .*the last line/);
    const later = await readEvents(app, { ...headers, "last-event-id": "19999" }, runId, () => {});
    assert.deepEqual(later, events.slice(-3));
  });

  it("ends when the application stops, with the run", async (t) => {
    const { app, headers, call } = await createCronApp(t);
    const runId = (await call("POST", "/jobs/slow/run")).body.run_id as string;
    const events = await readEvents(app, headers, runId, (event) => {
      if (event.includes("waiting")) void app.stop();
    });
    assert.match(events.at(-1)!, /^id: end\nevent: end\n/);
  });
});

describe("what the dashboard reads", () => {
  async function createDashboard(t: TestContext) {
    const test = await createCronApp(t);
    const read = async (path: string): Promise<CronResponse> => {
      const response = await test.app.inject({ url: `/_/_/data/cron${path}`, headers: test.headers });
      assert.equal(response.headers["cache-control"], "no-store");
      return { status: response.status, body: response.json() };
    };
    return { ...test, read };
  }

  it("GET /_/_/data/cron: the scheduler, the sums and every job with its last runs", async (t) => {
    const { call, finish, read } = await createDashboard(t);
    const { id } = await finish("report");
    await call("POST", "/jobs/slow/run");
    await call("POST", "/jobs/broken/pause");
    const { status, body } = await read("");
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["status", "analytics", "jobs", "truncated"]);
    assert.partialDeepStrictEqual(body, {
      status: { running: false, jobs_count: 3 + systemJobs.length, timezone: "UTC", uptime_seconds: 0 },
      analytics: { total_executions: 1, success_count: 1, failed_count: 0, success_rate: 100 },
      truncated: false,
    });
    const [report, slow, broken, system] = body.jobs as Record<string, unknown>[];
    const { next_run, last_run, recent, p50_ms, p95_ms, ...rest } = report!;
    assert.deepEqual(rest, {
      id: "report",
      name: "Daily report",
      description: "Sends the figures",
      schedule: "0 6 * * *",
      is_system: false,
      last_status: "success",
      paused: false,
      removed: false,
      timezone: "UTC",
      overlap: "skip",
      catch_up: "skip",
      retries: 0,
      on_interrupt: "ignore",
      schedule_words: "at 06:00 every day",
      running: [],
      runs_kept: 1,
      failed_kept: 0,
    });
    const [run] = recent as Record<string, unknown>[];
    assert.deepEqual(Object.keys(run!), ["id", "status", "start_time", "duration_ms"]);
    assert.partialDeepStrictEqual(run, { id, status: "success", start_time: last_run });
    assert.equal(new Date(next_run as number).getUTCHours(), 6);
    assert.deepEqual([p50_ms, p95_ms], [run!.duration_ms, run!.duration_ms]);
    const [going] = slow!.running as Record<string, unknown>[];
    assert.deepEqual(Object.keys(going!), ["run_id", "started_at"]);
    assert.partialDeepStrictEqual(broken, { paused: true, paused_by: ada.identity });
    assert.ok(Number.isInteger(broken!.paused_at) && !("next_run" in broken!));
    assert.equal(system!.is_system, true);
  });

  it("removed jobs only when asked; a search", async (t) => {
    const { call, read } = await createDashboard(t);
    await call("DELETE", "/jobs/report");
    const ids = async (query: string) =>
      ((await read(query)).body.jobs as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(await ids(""), ["slow", "broken", ...systemJobs]);
    assert.deepEqual(await ids("?removed=true&search=daily"), ["report"]);
    assert.deepEqual(await ids("?search=SLOW"), ["slow"]);
    const { jobs } = (await read("?removed=true")).body as { jobs: object[] };
    assert.partialDeepStrictEqual(jobs[0], { id: "report", removed: true, removed_by: ada.identity });
    for (const query of ["?removed=perhaps", `?search=${"x".repeat(201)}`])
      assert.equal((await read(query)).status, 400, query);
  });

  it("GET /_/_/data/cron/jobs/{id}: one job, its next runs and its last", async (t) => {
    const { finish, read } = await createDashboard(t);
    const { id } = await finish("report");
    const { status, body } = await read("/jobs/report");
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body, { id: "report", schedule_words: "at 06:00 every day", runs_kept: 1 });
    const next = body.next_runs as number[];
    assert.equal(next.length, 10);
    assert.ok(next.every((time) => new Date(time).getUTCHours() === 6));
    const [run] = body.runs as Record<string, unknown>[];
    const { start_time, duration_ms, ...rest } = run!;
    assert.deepEqual(rest, { id, status: "success", trigger: "manual", actor: ada.identity, attempt: 1 });
    assert.ok(Number.isInteger(start_time) && Number.isInteger(duration_ms));
    assert.equal((await read("/jobs/nothing")).status, 404);
  });

  it("GET /_/_/data/cron/timeline: past, planned and missed runs", async (t) => {
    const { finish, read } = await createDashboard(t);
    const { id } = await finish("report");
    const { status, body } = await read("/timeline");
    assert.equal(status, 200);
    const { from, to, now, runs, planned, ...rest } = body as Record<"from" | "to" | "now", number> &
      Record<string, unknown>;
    assert.equal(to - from, 2 * 86_400_000);
    assert.ok(now >= from + 86_400_000 && now < to);
    assert.deepEqual(rest, {
      truncated: false,
      planned_truncated: false,
      missed: [],
      missed_truncated: false,
    });
    const [run] = runs as Record<string, unknown>[];
    assert.deepEqual(Object.keys(run!), [
      "id",
      "job_id",
      "job_name",
      "status",
      "trigger",
      "start_time",
      "end_time",
    ]);
    assert.partialDeepStrictEqual(run, { id, job_id: "report", status: "success", trigger: "manual" });
    const ofReport = (planned as { job_id: string; time: number }[]).filter(
      ({ job_id }) => job_id === "report",
    );
    assert.deepEqual(
      ofReport.map(({ time }) => new Date(time).getUTCHours()),
      [6],
    );
    const week = 7 * 86_400_000;
    const wide = (await read("/timeline?from=2000-01-01&to=2100-01-01")).body as Record<string, number>;
    assert.deepEqual([wide.now! - wide.from!, wide.to! - wide.now!], [week, week]);
    for (const query of [
      "from=x",
      "to=x",
      "from=2000&to=1000",
      "to=2000-01-01",
      "from=2100-01-01&to=2101-01-01",
    ])
      assert.equal((await read(`/timeline?${query}`)).status, 400, query);
  });

  it("GET /_/_/data/cron/timezone and /timezones: what another zone would change", async (t) => {
    const { read } = await createDashboard(t);
    const { body } = await read("/timezone?timezone=asia/tokyo");
    assert.partialDeepStrictEqual(body, { timezone: "Asia/Tokyo", current: "UTC" });
    const examples = body.examples as Record<string, unknown>[];
    assert.ok((body.jobs_affected as number) >= examples.length && examples.length > 0);
    const report = examples.find(({ job_id }) => job_id === "report")!;
    assert.deepEqual(Object.keys(report), ["job_id", "name", "schedule", "before", "after"]);
    const hours = (times: unknown) => (times as number[]).map((time) => new Date(time).getUTCHours());
    assert.deepEqual(hours(report.before), [6, 6, 6, 6, 6]);
    assert.deepEqual(hours(report.after), [21, 21, 21, 21, 21]);
    for (const query of ["", "?timezone=", "?timezone=Mars/X", "?timezone=%2B02:00"]) {
      const refused = await read(`/timezone${query}`);
      assert.equal(refused.status, 400, query);
      assert.ok("timezone" in (refused.body.data as object));
    }
    const { timezones } = (await read("/timezones")).body as { timezones: string[] };
    assert.ok(timezones.length > 300 && timezones.includes("Europe/Berlin"));
    assert.equal(timezones.filter((name) => name === "UTC").length, 1);
  });
});

describe("the public client of PocketBase", () => {
  it("lists, runs and deletes jobs", async (t) => {
    const { app } = await createCronApp(t);
    const { url } = await app.start();
    const client = new PocketBase(url);
    const refused = (status: number) => (error: unknown) =>
      error instanceof ClientResponseError && error.status === status;
    await assert.rejects(client.send("/api/cron/jobs", {}), refused(401));
    await client.collection("_superusers").authWithPassword(ada.identity, ada.password);
    const jobs = await client.send<{ id: string }[]>("/api/cron/jobs", { query: { show_system: false } });
    assert.deepEqual(
      jobs.map(({ id }) => id),
      ["report", "slow", "broken"],
    );
    const started = await client.send("/api/cron/jobs/report/run", { method: "POST" });
    assert.equal(started.job_id, "report");
    await client.send("/api/cron/jobs/report", { method: "DELETE" });
    await assert.rejects(client.send("/api/cron/jobs/report", { method: "DELETE" }), refused(404));
    await assert.rejects(client.send("/api/cron/jobs/__svcLogClean__", { method: "DELETE" }), refused(403));
    const page = await client.send("/api/cron/logs/report", {});
    assert.equal(page.totalItems, 1);
  });
});
