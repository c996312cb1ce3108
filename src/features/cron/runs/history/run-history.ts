import { defined } from "../../../../lib/defined.ts";
import type { Database } from "../../../../storage/index.ts";
import type { CronTables, FinishedStatus, RunStatus, Trigger } from "../../tables.ts";
import { type Source, sourceForJobs } from "./long-reads.ts";

/** The fields of a finished run that a list of recent runs shows. */
export interface RecentRun {
  readonly id: string;
  readonly status: FinishedStatus;
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Median and 95th percentile of the durations of a job's recent runs. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

export interface JobHistory {
  /** Newest first. */
  readonly recent: readonly RecentRun[];
  /** Absent if no run has ended. */
  readonly spread?: Spread;
}

export interface RunInProgress {
  readonly id: string;
  readonly jobId: string;
  readonly scheduledAt: number;
  readonly startedAt: number;
  readonly progress: number | null;
}

/** A run as a bar on the timeline. */
export interface RunBar {
  readonly id: string;
  readonly jobId: string;
  readonly jobName: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  readonly startedAt: number;
  /** Absent while the run is in progress. */
  readonly endedAt?: number;
}

/** A finished run as a dot in the chart of its job. */
export interface RunDot extends RecentRun {
  readonly trigger: Trigger;
  readonly actor?: string;
  readonly attempt: number;
}

/** Reads runs for charts. The cost does not depend on the size of the log. */
export interface RunHistory {
  /** Recent runs of these jobs. Jobs without runs are omitted. */
  ofJobs(jobIds: readonly string[]): Promise<Map<string, JobHistory>>;
  /** Runs in progress on all instances, newest first. */
  inProgress(): Promise<RunInProgress[]>;
  /**
   * The newest runs that were in progress in a period, up to `limit`. Of the finished runs of a job that started before
   * the period, only the last one is included.
   */
  between(from: number, to: number, limit: number): Promise<RunBar[]>;
  /** The last finished runs of a job, newest first. */
  latest(jobId: string, limit: number): Promise<RunDot[]>;
  /** End time of the oldest finished run in the log. Runs that ended earlier have been deleted. */
  oldestEnd(): Promise<number | undefined>;
  /** When the oldest run of a job started. */
  oldestStart(jobId: string): Promise<number | undefined>;
}

const recentCount = 30;
/** Number of runs used for percentiles. More runs change them little but are expensive to read. */
const spreadCount = 100;
/** Limits the duration of a single query. */
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
        // SQLite queries block the event loop, so other work gets a turn between them.
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
      const rows = await createHistoryQueries(await sourceForJobs(database))
        .between(from, to, limit)
        .execute();
      return rows.map((row) =>
        defined({
          id: row.id,
          jobId: row.job_id,
          jobName: row.job_name,
          status: row.status,
          trigger: row.trigger,
          startedAt: row.started_at,
          endedAt: row.status === "running" ? undefined : row.ended_at,
        }),
      );
    },

    async latest(jobId, limit) {
      const rows = await queries.latest(jobId, limit).execute();
      return rows.map((row) =>
        defined({
          ...toRecent(row),
          trigger: row.trigger,
          actor: row.actor ?? undefined,
          attempt: row.attempt,
        }),
      );
    },

    async oldestEnd() {
      return (await queries.oldestEnd().executeTakeFirst())?.ended_at;
    },

    async oldestStart(jobId) {
      return (await queries.oldestStart(jobId).executeTakeFirst())?.started_at;
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

/** Exposed for tests that check the query plans. */
export function createHistoryQueries(database: Source) {
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
     * The last finished runs of each job, newest first. One subquery per job ensures that every engine uses the index.
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
      // Looks up the last earlier run of each job, because no index covers runs that continued past a given time.
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
    oldestStart: (jobId: string) =>
      tables
        .selectFrom("annex_cron_runs")
        .select("started_at")
        .where("job_id", "=", jobId)
        .orderBy("started_at")
        .limit(1),
  };
}
