import { isSuperuser, requireSuperuserAuth } from "../auth/index.ts";
import { bodyLimit, neverCached, type RequestEvent, type RootRouter, type Router } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import {
  toAnalyticsAnswer,
  toFullEntry,
  toFullJob,
  toJob,
  toLogEntry,
  toStatusAnswer,
  toTime,
} from "./answers.ts";
import { readFlag } from "./flag.ts";
import { streamRun } from "./live-stream.ts";
import type { Manager } from "./manager.ts";
import { parseSchedule } from "./schedule/schedule.ts";
import { parseTimezone } from "./schedule/timezone.ts";

/** Registers the cron API. */
export function mountCron(root: RootRouter, manager: Manager, clock: AlarmClock): void {
  const cron = root.setPrefix("/api/cron");
  cron.bind(requireSuperuserAuth(), bodyLimit(4_096), neverCached);
  mountJobs(cron, manager);
  mountScheduler(cron, manager);
  mountReading(cron, manager);
  mountRuns(cron, manager);
  // Streams can stay open for hours, which would distort the latency metrics.
  root
    .uncounted()
    .get("/api/cron/runs/{run_id}/stream", (e) => streamRun(e, manager, clock))
    .bind(requireSuperuserAuth());
}

function mountJobs(cron: Router, manager: Manager): void {
  cron.get("/jobs/{id}", async (e) => e.json(200, toFullJob(await manager.find(e.pathValue("id")))));

  cron.post("/jobs/{id}/run", async (e) => {
    const id = e.pathValue("id");
    const run = await manager.run(id, { actor: actorOf(e), traceId: e.traceId });
    return e.json(200, { message: `Job "${id}" started.`, job_id: id, run_id: run.id });
  });

  cron.delete("/jobs/{id}", async (e) => {
    await manager.remove(e.pathValue("id"), { actor: actorOf(e) });
    return answerJob(e, "removed");
  });

  cron.post("/jobs/{id}/restore", async (e) => {
    await manager.restore(e.pathValue("id"), { actor: actorOf(e) });
    return answerJob(e, "restored");
  });

  cron.post("/jobs/{id}/pause", async (e) => {
    await manager.pause(e.pathValue("id"), { actor: actorOf(e) });
    return answerJob(e, "paused");
  });

  cron.post("/jobs/{id}/resume", async (e) => {
    await manager.resume(e.pathValue("id"), { actor: actorOf(e) });
    return answerJob(e, "resumed");
  });

  cron.get("/jobs/{id}/next", async (e) => {
    const { id, schedule, timezone, isPaused } = await manager.find(e.pathValue("id"));
    const next = manager.nextRuns(id, readNumber(e, "count"));
    return e.json(200, { job_id: id, schedule, timezone, paused: isPaused, next_runs: next.map(toTime) });
  });
}

function mountScheduler(cron: Router, manager: Manager): void {
  cron.get("/status", async (e) => e.json(200, toStatusAnswer(await manager.status())));

  cron.post("/config/timezone", async (e) => {
    const body = await e.bindBody<{ timezone?: unknown } | null>();
    const required = {
      code: "required",
      message: "timezone is required: an IANA name such as Europe/Berlin.",
    };
    refuseInvalid({ timezone: body?.timezone == null ? required : undefined });
    const timezone = await manager.setTimezone(body!.timezone as string, { actor: actorOf(e) });
    return e.json(200, { message: `Time zone set to ${timezone}.`, timezone });
  });

  cron.get("/next", async (e) => {
    const text = e.query("schedule");
    const required = {
      code: "required",
      message: "schedule is required: a cron expression with five fields.",
    };
    refuseInvalid({ schedule: text === undefined ? required : undefined });
    const schedule = parseSchedule(text!).expression;
    const timezone = parseTimezone(e.query("timezone") ?? (await manager.status()).timezone).name;
    const next = manager.preview(schedule, { timezone, count: readNumber(e, "count") });
    return e.json(200, { schedule, timezone, next_runs: next.map(toTime) });
  });
}

/**
 * Read-only routes for jobs and runs. The dashboard uses the same routes under its own path, where they are not
 * counted.
 */
export function mountReading(cron: Router, manager: Manager): void {
  cron.get("/jobs", async (e) => {
    const showSystem = readFlag(e, "show_system", true);
    const activeOnly = readFlag(e, "active_only", false);
    const removed = readFlag(e, "show_removed", false);
    const jobs = (await manager.list({ removed })).filter(
      (job) => (showSystem || !job.isSystem) && !(activeOnly && job.isPaused),
    );
    return e.json(200, jobs.map(readView(e) === "full" ? toFullJob : toJob));
  });

  cron.get("/runs/{run_id}", async (e) =>
    e.json(200, toFullEntry(await manager.findRun(e.pathValue("run_id")))),
  );

  cron.get("/logs/analytics", async (e) => e.json(200, toAnalyticsAnswer(await manager.analytics())));
  cron.get("/logs", (e) => answerLogs(e));
  cron.get("/logs/{job_id}", (e) => answerLogs(e, e.pathValue("job_id")));

  async function answerLogs(e: RequestEvent<never>, jobId?: string) {
    const toItem = readView(e) === "full" ? toFullEntry : toLogEntry;
    // Forms also send empty fields.
    const given = (name: string) => e.query(name) || undefined;
    const page = await manager.logs({
      jobId,
      traceId: given("trace_id"),
      status: given("status"),
      trigger: given("trigger"),
      from: given("from"),
      to: given("to"),
      page: readNumber(e, "page"),
      perPage: readNumber(e, "perPage"),
      sort: e.query("sort"),
    });
    return e.json(200, { ...page, items: page.items.map(toItem) });
  }
}

function mountRuns(cron: Router, manager: Manager): void {
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

/** Selects the fields of the contract, or all available fields. */
function readView(e: RequestEvent<never>): string | undefined {
  const view = e.query("view");
  const problem: FieldProblem = {
    code: "invalid",
    message: 'Invalid view. Use "full" or omit the parameter.',
  };
  refuseInvalid({ view: view === undefined || view === "full" ? undefined : problem });
  return view;
}

/** Values that are not integers become `NaN`, which the range checks reject. */
function readNumber(e: RequestEvent<never>, name: string): number | undefined {
  const text = e.query(name);
  return text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
