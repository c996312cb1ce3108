import { actorOf, requireSuperuserAuth } from "../../../auth/index.ts";
import {
  bodyLimit,
  neverCached,
  query,
  type RequestEvent,
  type RootRouter,
  type Router,
  readQuery,
} from "../../../http/index.ts";
import { ApiError } from "../../../lib/errors/errors.ts";
import { missing, refuseInvalid } from "../../../lib/fields.ts";
import { maxPerPage } from "../../../lib/page.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { Manager } from "../jobs/manager.ts";
import { parseSchedule } from "../planning/schedule.ts";
import { parseTimezone } from "../planning/timezone.ts";
import { findRunConflicts, runParameters, toRunSelection } from "../runs/history/run-parameters.ts";
import type { Run } from "../runs/run.ts";
import type * as wire from "../wire.ts";
import { streamRun } from "./live-stream.ts";
import {
  toAnalyticsResponse,
  toFullEntry,
  toFullJob,
  toJob,
  toLogEntry,
  toQueuedEntry,
  toRunDetails,
  toStatusResponse,
  toTime,
} from "./responses.ts";
import { readRunBody, runBodyLimit } from "./run-body.ts";

const count = query.count({ max: maxPerPage, default: 10 });
/** Selects the fields of the contract, or all available fields. */
const view = query.oneOf(["full"]);

/** A page of runs in either view. */
type RunEntryPage = Omit<wire.RunPage, "items"> & { readonly items: readonly wire.RunEntry[] };

/** Registers the cron API. */
export function mountCron(root: RootRouter, manager: Manager, clock: AlarmClock): void {
  const cron = root.setPrefix("/api/cron");
  // Applies to unknown paths too, so that other clients cannot find out which routes exist.
  cron.use(requireSuperuserAuth());
  cron.bind(bodyLimit(4_096), neverCached);
  mountJobs(cron, manager, clock);
  mountScheduler(cron, manager);
  mountReading(cron, manager);
  mountRuns(cron, manager);
  mountStream(root.setPrefix("/api/cron"), manager, clock);
}

function mountJobs(cron: Router, manager: Manager, clock: AlarmClock): void {
  cron.get("/jobs/{id}", async (e) => e.json(200, toFullJob(await manager.find(e.pathValue("id")))));

  cron
    .post("/jobs/{id}/run", async (e) => {
      const id = e.pathValue("id");
      const { parameters, runAt } = await readRunBody(e);
      const options = { actor: actorOf(e), traceId: e.traceId, parameters };
      // An instance that only serves leaves the run to others.
      if (runAt || !manager.runsJobs) {
        const queued = await manager.runAt(id, runAt ?? new Date(clock.now()), options);
        const [run_id, run_at] = [queued.id, toTime(queued.runAt)];
        const message = `A run of job "${id}" is queued for ${run_at}.`;
        return e.json(200, { message, job_id: id, run_id, run_at } satisfies wire.RunAction);
      }
      const run = await manager.run(id, options);
      const started: wire.RunAction = { message: `Job "${id}" started.`, job_id: id, run_id: run.id };
      return e.json(200, started);
    })
    .bind(bodyLimit(runBodyLimit));

  cron.delete("/jobs/{id}", async (e) => {
    await manager.remove(e.pathValue("id"), { actor: actorOf(e) });
    return sendJob(e, "removed");
  });

  cron.post("/jobs/{id}/restore", async (e) => {
    await manager.restore(e.pathValue("id"), { actor: actorOf(e) });
    return sendJob(e, "restored");
  });

  cron.post("/jobs/{id}/pause", async (e) => {
    await manager.pause(e.pathValue("id"), { actor: actorOf(e) });
    return sendJob(e, "paused");
  });

  cron.post("/jobs/{id}/resume", async (e) => {
    await manager.resume(e.pathValue("id"), { actor: actorOf(e) });
    return sendJob(e, "resumed");
  });

  cron.get("/jobs/{id}/next", async (e) => {
    const { id, schedule, timezone, isPaused } = await manager.find(e.pathValue("id"));
    const next = manager.nextRuns(id, readQuery(e, { count }).count);
    return e.json(200, { job_id: id, schedule, timezone, paused: isPaused, next_runs: next.map(toTime) });
  });
}

function mountScheduler(cron: Router, manager: Manager): void {
  cron.get("/status", async (e) => e.json(200, toStatusResponse(await manager.status())));

  cron.post("/config/timezone", async (e) => {
    const body = await e.bindBody<{ timezone?: unknown } | null>();
    const problem = missing("timezone", "an IANA name such as Europe/Berlin");
    refuseInvalid({ timezone: body?.timezone == null ? problem : undefined });
    const timezone = await manager.setTimezone(body!.timezone as string, { actor: actorOf(e) });
    const changed: wire.TimezoneAction = { message: `Time zone set to ${timezone}.`, timezone };
    return e.json(200, changed);
  });

  cron.get("/next", async (e) => {
    const given = readQuery(e, {
      schedule: query.required("a cron expression with five fields"),
      timezone: query.text(),
      count,
    });
    const schedule = parseSchedule(given.schedule).expression;
    const timezone = parseTimezone(given.timezone ?? (await manager.status()).timezone).name;
    const next = manager.preview(schedule, { timezone, count: given.count });
    return e.json(200, { schedule, timezone, next_runs: next.map(toTime) });
  });
}

/** The live output of a run. The dashboard uses the same route under its own path. */
export function mountStream(cron: Router, manager: Manager, clock: AlarmClock): void {
  cron.bind(requireSuperuserAuth());
  cron.get("/runs/{run_id}/stream", (e) => streamRun(e, manager, clock));
}

/**
 * Read-only routes for jobs and runs. The dashboard uses the same routes under its own path, where they are not
 * counted.
 */
export function mountReading(cron: Router, manager: Manager): void {
  const redact = (value: unknown) => manager.redact(value);
  cron.get("/jobs", async (e) => {
    const given = readQuery(e, {
      show_system: query.flag({ default: true }),
      active_only: query.flag(),
      show_removed: query.flag(),
      view,
    });
    const jobs = (await manager.list({ removed: given.show_removed })).filter(
      (job) => (given.show_system || !job.isSystem) && !(given.active_only && job.isPaused),
    );
    return e.json(200, jobs.map(given.view === "full" ? toFullJob : toJob));
  });

  cron.get("/runs/{run_id}", async (e) => {
    const id = e.pathValue("run_id");
    const queued = await manager.findQueued(id);
    if (queued) return e.json(200, toQueuedEntry(queued, redact));
    return e.json(200, toRunDetails(await manager.runDetails(id), redact));
  });

  cron.get("/queue", async (e) => {
    const { job_id } = readQuery(e, { job_id: query.text({ maxLength: 128, forbidNull: true }) });
    return e.json(
      200,
      (await manager.listQueued(job_id)).map((run) => toQueuedEntry(run, redact)),
    );
  });

  cron.get("/logs/analytics", async (e) => e.json(200, toAnalyticsResponse(await manager.analytics())));
  cron.get("/logs", (e) => sendLogs(e));
  cron.get("/logs/{job_id}", (e) => sendLogs(e, e.pathValue("job_id")));

  async function sendLogs(e: RequestEvent<never>, jobId?: string) {
    const given = readQuery(e, { ...runParameters, view }, findRunConflicts);
    const page = await manager.listRuns({ ...toRunSelection(given), jobId });
    const toItem = (run: Run) => (given.view === "full" ? toFullEntry(run, redact) : toLogEntry(run));
    return e.json(200, { ...page, items: page.items.map(toItem) } satisfies RunEntryPage);
  }
}

function mountRuns(cron: Router, manager: Manager): void {
  cron.post("/runs/{run_id}/cancel", async (e) => {
    const runId = e.pathValue("run_id");
    const options = { actor: actorOf(e) };
    const queued = await manager.cancelQueued(runId, options).catch(ignoreStarted);
    if (queued) {
      const message = `Run "${runId}" is removed from the queue.`;
      return e.json(200, { message, job_id: queued.jobId, run_id: runId } satisfies wire.RunAction);
    }
    const { id, jobId } = await manager.cancel(runId, options);
    const message = `Run "${id}" is being cancelled.`;
    return e.json(200, { message, job_id: jobId, run_id: id } satisfies wire.RunAction);
  });
}

/** A run that is not in the queue may be in progress. */
function ignoreStarted(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== "RUN_NOT_QUEUED") throw error;
}

function sendJob(e: RequestEvent<"id">, what: string) {
  const id = e.pathValue("id");
  return e.json(200, { message: `Job "${id}" ${what}.`, job_id: id } satisfies wire.JobAction);
}
