import type { Database } from "../../storage/index.ts";
import type { CronTables, RunStatus, Trigger } from "../tables.ts";
import type { FinishedStatus } from "./execution.ts";

/** As much of a finished run as a strip of the last ones shows. */
export interface RecentRun {
  readonly id: string;
  readonly status: FinishedStatus;
  readonly startedAt: number;
  readonly durationMs: number;
}

/** How long the last runs of a job took: half of them, and nineteen in twenty, took no longer than that. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

export interface JobHistory {
  /** The newest first. */
  readonly recent: readonly RecentRun[];
  /** Absent when no run has ended. */
  readonly spread?: Spread;
}

export interface RunInProgress {
  readonly id: string;
  readonly jobId: string;
  readonly scheduledAt: number;
  readonly startedAt: number;
  readonly progress: number | null;
}

/** A run as a bar on a time line. */
export interface RunBar {
  readonly id: string;
  readonly jobId: string;
  readonly jobName: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly endedAt?: number;
}

/** A finished run as a dot among others of its job. */
export interface RunDot extends RecentRun {
  readonly trigger: Trigger;
  readonly actor?: string;
  readonly attempt: number;
}

/** Reads runs as they are drawn. What it costs does not grow with the log. */
export interface RunHistory {
  /** The last runs of each of these jobs that has any. */
  ofJobs(jobIds: readonly string[]): Promise<Map<string, JobHistory>>;
  /** The runs in progress on any instance, the newest first. */
  inProgress(): Promise<RunInProgress[]>;
  /**
   * The newest that were in progress in that time, at most that many. Of a job whose runs overlap, one that began before
   * is left out if another one began before, too, and later.
   */
  between(from: number, to: number, limit: number): Promise<RunBar[]>;
  /** The last finished runs of a job, the newest first. */
  latest(jobId: string, limit: number): Promise<RunDot[]>;
  /** When the first of all runs in the log ended. Those that ended before have been deleted. */
  oldestEnd(): Promise<number | undefined>;
}

const recentCount = 30;
/** Runs of a job from which its percentiles are taken. More change them little, and reading them costs much. */
const spreadCount = 100;
/** Few enough that nobody waits for the answer. */
const jobsPerStatement = 50;
const maxInProgress = 1_000;

export function createRunHistory(database: Database): RunHistory {
  const queries = createHistoryQueries(database);
  return {
    async ofJobs(jobIds) {
      const found = new Map<string, JobHistory>();
      for (let start = 0; start < jobIds.length; start += jobsPerStatement) {
        const some = jobIds.slice(start, start + jobsPerStatement);
        const rows = await queries.lastOfEach(some, spreadCount).execute();
        for (const [jobId, ofJob] of Map.groupBy(rows, ({ job_id }) => job_id))
          found.set(jobId, toHistory(ofJob.map(toRecent)));
        // SQLite answers at once, so that without this everybody else would wait for all of it.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return found;
    },

    async inProgress() {
      const rows = await queries.inProgress().execute();
      return rows.map((row) => ({
        id: row.id,
        jobId: row.job_id,
        scheduledAt: row.scheduled_at,
        startedAt: row.started_at,
        progress: row.progress,
      }));
    },

    async between(from, to, limit) {
      const rows = await queries.between(from, to, limit).execute();
      return rows.map((row) => ({
        id: row.id,
        jobId: row.job_id,
        jobName: row.job_name,
        status: row.status,
        trigger: row.trigger,
        startedAt: row.started_at,
        ...(row.status !== "running" && { endedAt: row.ended_at }),
      }));
    },

    async latest(jobId, limit) {
      const rows = await queries.latest(jobId, limit).execute();
      return rows.map((row) => ({
        ...toRecent(row),
        trigger: row.trigger,
        ...(row.actor !== null && { actor: row.actor }),
        attempt: row.attempt,
      }));
    },

    async oldestEnd() {
      return (await queries.oldestEnd().executeTakeFirst())?.ended_at;
    },
  };
}

function toRecent(row: {
  id: string;
  status: RunStatus;
  started_at: number;
  duration_ms: number;
}): RecentRun {
  const { id, status, started_at, duration_ms } = row;
  return { id, status: status as FinishedStatus, startedAt: started_at, durationMs: duration_ms };
}

function toHistory(newestFirst: readonly RecentRun[]): JobHistory {
  const sorted = newestFirst.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { recent: newestFirst.slice(0, recentCount), spread: { p50: at(0.5), p95: at(0.95) } };
}

/** The queries by themselves, so that a test can ask the engines how they go about them. */
export function createHistoryQueries(database: Database) {
  const tables = database.tables<CronTables>();

  const latest = (jobId: string, limit: number) =>
    tables
      .selectFrom("annex_cron_runs")
      .where("job_id", "=", jobId)
      .where("status", "<>", "running")
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(limit);

  return {
    /**
     * The last finished runs of each job, the newest first. Each job is asked for by itself, so that its runs are found
     * in an index, whatever the engine thinks of their number.
     */
    lastOfEach(jobIds: readonly string[], limit: number) {
      const [first, ...others] = jobIds.map((jobId) => {
        const runs = latest(jobId, limit).select(["job_id", "id", "status", "started_at", "duration_ms"]);
        return tables.selectFrom(runs.as("run")).selectAll();
      });
      return first!.unionAll(others);
    },

    inProgress: () =>
      tables
        .selectFrom("annex_cron_runs")
        .select(["id", "job_id", "scheduled_at", "started_at", "progress"])
        .where("status", "=", "running")
        .orderBy("started_at", "desc")
        .orderBy("id", "desc")
        .limit(maxInProgress),

    between(from: number, to: number, limit: number) {
      const runs = tables
        .selectFrom("annex_cron_runs")
        .select(["id", "job_id", "job_name", "status", "trigger", "started_at", "ended_at"]);
      const begun = runs.where("started_at", ">=", from).where("started_at", "<", to);
      const goingOn = runs.where("status", "=", "running").where("started_at", "<", from);
      // Each job is asked for its last run before, because no index tells which of all runs went on beyond a moment.
      const lastBefore = tables
        .selectFrom("annex_cron_jobs as job")
        .select(({ selectFrom }) =>
          selectFrom("annex_cron_runs as earlier")
            .select("earlier.id")
            .whereRef("earlier.job_id", "=", "job.job_id")
            .where("earlier.started_at", "<", from)
            .orderBy("earlier.started_at", "desc")
            .orderBy("earlier.id", "desc")
            .limit(1)
            .as("id"),
        );
      const ended = runs.where("id", "in", lastBefore).where("ended_at", ">", from);
      const newest = (query: typeof runs) =>
        tables
          .selectFrom(query.orderBy("started_at", "desc").orderBy("id", "desc").limit(limit).as("run"))
          .selectAll();
      return tables
        .selectFrom(newest(begun).unionAll(newest(goingOn)).unionAll(newest(ended)).as("run"))
        .selectAll()
        .orderBy("started_at", "desc")
        .orderBy("id", "desc")
        .limit(limit);
    },

    latest: (jobId: string, limit: number) =>
      latest(jobId, limit).select([
        "id",
        "status",
        "started_at",
        "duration_ms",
        "trigger",
        "actor",
        "attempt",
      ]),

    oldestEnd: () =>
      tables
        .selectFrom("annex_cron_runs")
        .select("ended_at")
        .where("ended_at", ">", 0)
        .orderBy("ended_at")
        .orderBy("id")
        .limit(1),
  };
}
