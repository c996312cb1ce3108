import { isSuperuser, requireSuperuserAuth } from "../auth/index.ts";
import { bodyLimit, type RequestEvent, type RootRouter, type Router } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { pageAnswer, parsePage, parseSort } from "../lib/page.ts";
import { toAnalytics, toFullEntry, toFullJob, toJob, toLogEntry, toTime } from "./answers.ts";
import { streamRun } from "./live-stream.ts";
import type { Manager } from "./manager.ts";
import { runSortFields } from "./runs/run-log.ts";

/** The cron API. */
export function mountCron(root: RootRouter, manager: Manager): void {
  const cron = root.setPrefix("/api/cron");
  cron.bind(requireSuperuserAuth(), bodyLimit(4_096));
  mountJobs(cron, manager);
  mountScheduler(cron, manager);
  mountLogs(cron, manager);
  mountRuns(cron, manager);
  // Somebody may watch for hours; as a request that took hours it would spoil every figure.
  root
    .uncounted()
    .get("/api/cron/runs/{run_id}/stream", (e) => streamRun(e, manager))
    .bind(requireSuperuserAuth());
}

function mountJobs(cron: Router, manager: Manager): void {
  cron.get("/jobs", async (e) => {
    const showSystem = readFlag(e, "show_system", true);
    const activeOnly = readFlag(e, "active_only", false);
    const jobs = (await manager.list()).filter(
      (job) => (showSystem || !job.isSystem) && !(activeOnly && job.isPaused),
    );
    return e.json(200, jobs.map(readView(e) === "full" ? toFullJob : toJob));
  });

  cron.get("/jobs/{id}", async (e) => e.json(200, toFullJob(await manager.find(e.pathValue("id")))));

  cron.post("/jobs/{id}/run", async (e) => {
    const id = e.pathValue("id");
    const run = await manager.run(id, { actor: actorOf(e), traceId: e.traceId });
    return e.json(200, { message: `Job "${id}" has been started.`, job_id: id, run_id: run.id });
  });

  cron.delete("/jobs/{id}", async (e) => {
    await manager.remove(e.pathValue("id"), { actor: actorOf(e) });
    return answerJob(e, "has been removed");
  });

  cron.post("/jobs/{id}/restore", async (e) => {
    await manager.restore(e.pathValue("id"));
    return answerJob(e, "is back");
  });

  cron.post("/jobs/{id}/pause", async (e) => {
    await manager.pause(e.pathValue("id"), { actor: actorOf(e) });
    return answerJob(e, "is paused");
  });

  cron.post("/jobs/{id}/resume", async (e) => {
    await manager.resume(e.pathValue("id"));
    return answerJob(e, "goes on");
  });

  cron.get("/jobs/{id}/next", async (e) => {
    const { id, schedule, timezone } = await manager.find(e.pathValue("id"));
    const next = manager.nextRuns(id, readCount(e));
    return e.json(200, { job_id: id, schedule, timezone, next_runs: next.map(toTime) });
  });
}

function mountScheduler(cron: Router, manager: Manager): void {
  cron.get("/status", async (e) => {
    const { isRunning, jobsCount, timezone, uptimeSeconds } = await manager.status();
    return e.json(200, {
      running: isRunning,
      jobs_count: jobsCount,
      timezone,
      uptime_seconds: uptimeSeconds,
    });
  });

  cron.post("/config/timezone", async (e) => {
    const body = await e.bindBody<{ timezone?: unknown } | null>();
    const timezone = await manager.setTimezone(body?.timezone as string);
    return e.json(200, { message: `The timezone is ${timezone} now.`, timezone });
  });

  cron.get("/next", async (e) => {
    const schedule = e.query("schedule");
    refuseInvalid({
      schedule: schedule === undefined ? { code: "required", message: "Give a schedule." } : undefined,
    });
    const { timezone = (await manager.status()).timezone } = { timezone: e.query("timezone") };
    const next = manager.preview(schedule!, { timezone, count: readCount(e) });
    return e.json(200, { schedule, timezone, next_runs: next.map(toTime) });
  });
}

function mountLogs(cron: Router, manager: Manager): void {
  cron.get("/logs/analytics", async (e) => e.json(200, toAnalytics(await manager.analytics())));
  cron.get("/logs", (e) => answerLogs(e));
  cron.get("/logs/{job_id}", (e) => answerLogs(e, e.pathValue("job_id")));

  async function answerLogs(e: RequestEvent<never>, jobId?: string) {
    const request = parsePage((name) => e.query(name), 20);
    const sort = parseSort(e.query("sort") ?? "-start_time", runSortFields);
    const view = readView(e);
    const { totalItems, items } = await manager.logs({
      ...request,
      sort,
      ...(jobId !== undefined && { jobId }),
    });
    return e.json(
      200,
      pageAnswer(request, totalItems, items.map(view === "full" ? toFullEntry : toLogEntry)),
    );
  }
}

function mountRuns(cron: Router, manager: Manager): void {
  cron.get("/runs/{run_id}", async (e) =>
    e.json(200, toFullEntry(await manager.findRun(e.pathValue("run_id")))),
  );

  cron.post("/runs/{run_id}/cancel", async (e) => {
    const { id, jobId } = await manager.cancel(e.pathValue("run_id"), { actor: actorOf(e) });
    return e.json(200, { message: `Run "${id}" is being cancelled.`, job_id: jobId, run_id: id });
  });
}

function answerJob(e: RequestEvent<"id">, what: string) {
  const id = e.pathValue("id");
  return e.json(200, { message: `Job "${id}" ${what}.`, job_id: id });
}

function actorOf(e: RequestEvent<never>): string | undefined {
  return isSuperuser(e.auth) ? e.auth.email : undefined;
}

function readFlag(e: RequestEvent<never>, name: string, fallback: boolean): boolean {
  const text = e.query(name);
  if (text === undefined || text === "") return fallback;
  const isTrue = text === "true" || text === "1";
  const problem: FieldProblem = { code: "invalid", message: `The value of ${name} must be true or false.` };
  refuseInvalid({ [name]: isTrue || text === "false" || text === "0" ? undefined : problem });
  return isTrue;
}

/** The contract's fields alone, or with everything else that is known. */
function readView(e: RequestEvent<never>): string | undefined {
  const view = e.query("view");
  const problem: FieldProblem = { code: "invalid", message: "The only other view is full." };
  refuseInvalid({ view: view === undefined || view === "full" ? undefined : problem });
  return view;
}

function readCount(e: RequestEvent<never>): number {
  const text = e.query("count") ?? "10";
  const isCount = /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
  const problem: FieldProblem = {
    code: "invalid",
    message: "The value of count must be a whole number from 1 to 100.",
  };
  refuseInvalid({ count: isCount ? undefined : problem });
  return Number(text);
}
