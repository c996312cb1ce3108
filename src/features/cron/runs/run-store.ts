import { sql, type Transaction } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { type GroupLimits, insertWithinLimits } from "../limits/group-limits.ts";
import { addToQueue, lockQueued, type QueuedRow, removeRetriesOf } from "../queue/queue-store.ts";
import { createRetry } from "../queue/retry-plan.ts";
import type { CronTables, RunStatus } from "../tables.ts";
import { slices } from "./batch.ts";
import type { RunEnd, RunRow } from "./run.ts";

export type NewRun = Omit<
  RunRow,
  "status" | "ended_at" | "duration_ms" | "progress" | "output" | "cancelled_by" | "parameters" | "retry_plan"
> &
  Partial<Pick<RunRow, "parameters" | "retry_plan">>;

export interface BegunRuns {
  readonly begun: ReadonlySet<string>;
  /** Runs whose group had no room. */
  readonly full: ReadonlySet<string>;
}

export interface WrittenOutput {
  readonly id: string;
  readonly output: string;
  readonly progress: number | null;
}

export interface RunningRun {
  readonly id: string;
  readonly instance: string;
}

export interface InterruptedRun {
  readonly id: string;
  readonly jobId: string;
}

export interface InterruptOptions {
  /** When the runs were last known to be running. */
  readonly at: number;
  readonly now: number;
  readonly reason: string;
}

/** Writes runs when they begin, while they are in progress and when they end. */
export interface RunStore {
  /**
   * Stores the runs that may begin and returns their IDs. Skips ticks that have already run, runs excluded by another
   * run, and runs beyond the limit of their group. `queued` runs begin only if they are still in the queue, and leave it.
   */
  begin(runs: NewRun[], queued?: readonly string[]): Promise<BegunRuns>;
  /** Returns the runs that were stored although the confirmation was lost. */
  findBegun(ids: string[]): Promise<Set<string>>;
  /** Returns the ticks that have a run. */
  findTicks(ticks: string[]): Promise<Set<string>>;
  /** Returns those of these jobs that have an exclusive run in progress. */
  findBusyJobs(ids: string[]): Promise<Set<string>>;
  saveOutput(runs: WrittenOutput[]): Promise<void>;
  end(runs: RunEnd[]): Promise<void>;
  /** Adds an error to the output of a run that has ended. */
  addError(id: string, message: string): Promise<void>;
  /** All runs marked as in progress, including those of crashed processes. */
  running(): Promise<RunningRun[]>;
  /**
   * Marks runs as interrupted unless they have ended, and queues the retries that they are to have. Returns the runs
   * that it marked.
   */
  interrupt(ids: string[], options: InterruptOptions): Promise<InterruptedRun[]>;
  /** Stores a cancel request. Returns false if the run has already ended. */
  requestCancel(id: string, actor: string): Promise<boolean>;
  /** Cancel requests for the runs of an instance. */
  cancelRequests(instance: string): Promise<{ id: string; actor: string }[]>;
  /** Deletes up to `limit` finished runs, the oldest first. */
  purge(selection: PurgeSelection, limit: number): Promise<Purged>;
}

/** Finished runs to delete. */
export interface PurgeSelection {
  /** When they ended: from `from`, and before `before`. */
  readonly from?: number;
  readonly before?: number;
  /** "shared": only jobs without their own retention. */
  readonly jobs?: "shared" | { readonly id: string };
}

export interface Purged {
  readonly count: number;
  /** When the last of them ended. */
  readonly lastEnd: number | undefined;
}

export function createRunStore(database: Database, limits: GroupLimits = {}): RunStore {
  const { engine } = database;
  const tables = database.tables<CronTables>();
  return {
    begin: (runs, queued = []) =>
      database.transaction<CronTables, BegunRuns>(async (trx) => {
        if (queued.length === 0) return insertAll({ trx, engine }, runs, limits);
        const locked = await lockQueued({ trx, engine }, queued);
        const startable = runs.filter(({ id }) => locked.has(id) || !queued.includes(id));
        const stored = await insertAll({ trx, engine }, startable, limits);
        const left = queued.filter((id) => stored.begun.has(id));
        if (left.length > 0) await trx.deleteFrom("annex_cron_queue").where("id", "in", left).execute();
        return stored;
      }),

    async findBegun(ids) {
      const runs = tables.selectFrom("annex_cron_runs").select("id").where("status", "=", "running");
      const rows = await runs.where("id", "in", ids).execute();
      return new Set(rows.map(({ id }) => id));
    },

    async findTicks(ticks) {
      const found = new Set<string>();
      // An array is one parameter, so PostgreSQL needs one statement for any number.
      for (const part of engine === "postgres" ? [ticks] : slices(ticks)) {
        const isWanted =
          engine === "postgres"
            ? sql<boolean>`tick = any(${part})`
            : sql<boolean>`tick in (${sql.join(part)})`;
        const rows = await tables.selectFrom("annex_cron_runs").select("tick").where(isWanted).execute();
        for (const { tick } of rows) found.add(tick!);
      }
      return found;
    },

    async findBusyJobs(ids) {
      const rows = await tables
        .selectFrom("annex_cron_runs")
        .select("exclusive")
        .where("exclusive", "in", ids)
        .execute();
      return new Set(rows.map(({ exclusive }) => exclusive!));
    },

    saveOutput: (runs) =>
      database.transaction<CronTables, void>(async (trx) => {
        for (const part of slices(runs.toSorted((one, other) => compare(one.id, other.id)))) {
          await findForUpdate({ trx, engine }, part, ["running"]);
          const rows = part.map(
            ({ id, output, progress }) => sql`(${asText(id)}, ${asText(output)}, ${asReal(progress)})`,
          );
          await sql`
            update annex_cron_runs set output = v.output, progress = v.progress
            from (
              select column1 as id, column2 as output, column3 as progress from (values ${sql.join(rows)}) as given
            ) as v
            where annex_cron_runs.id = v.id and annex_cron_runs.status = 'running'`.execute(trx);
        }
      }),

    // Others may have given up a run that has finished after all.
    end: (runs) =>
      database.transaction<CronTables, void>(
        async (trx) => void (await endRuns({ trx, engine }, runs, ["running", "interrupted"])),
      ),

    addError: (id, message) =>
      database.transaction<CronTables, void>(async (trx) => {
        const row = await trx
          .selectFrom("annex_cron_runs")
          .select("output")
          .where("id", "=", id)
          .$if(engine === "postgres", (query) => query.forUpdate())
          .executeTakeFirst();
        if (!row) return;
        const output = withError(row.output, message);
        await trx.updateTable("annex_cron_runs").set({ output }).where("id", "=", id).execute();
      }),

    running: () =>
      tables
        .selectFrom("annex_cron_runs")
        .select(["id", "instance"])
        .where("status", "=", "running")
        .execute(),

    interrupt: (ids, { at, now, reason }) =>
      database.transaction<CronTables, InterruptedRun[]>(async (trx) => {
        const rows = await trx.selectFrom("annex_cron_runs").selectAll().where("id", "in", ids).execute();
        const ends = rows.map(
          (row): RunEnd => ({
            id: row.id,
            jobId: row.job_id,
            status: "interrupted",
            startedAt: row.started_at,
            endedAt: Math.max(at, row.started_at),
            durationMs: Math.max(0, at - row.started_at),
            progress: row.progress,
            output: withError(row.output, `Interrupted: ${reason}`),
            retry: retryOf(row, now),
          }),
        );
        return (await endRuns({ trx, engine }, ends, ["running"])).map(({ id, jobId }) => ({ id, jobId }));
      }),

    async requestCancel(id, actor) {
      const { numUpdatedRows } = await tables
        .updateTable("annex_cron_runs")
        .set({ cancelled_by: actor })
        .where("id", "=", id)
        .where("status", "=", "running")
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },

    async cancelRequests(instance) {
      const rows = await tables
        .selectFrom("annex_cron_runs")
        .select(["id", "cancelled_by"])
        .where("status", "=", "running")
        .where("instance", "=", instance)
        .where("cancelled_by", "is not", null)
        .execute();
      return rows.map(({ id, cancelled_by }) => ({ id, actor: cancelled_by! }));
    },

    purge: (selection, limit) =>
      database.transaction<CronTables, Purged>((trx) => purge({ trx, engine }, selection, limit)),
  };
}

/** Stores the runs that may begin. Those of a group begin only within its limit. */
async function insertAll(writing: Writing, runs: readonly NewRun[], limits: GroupLimits): Promise<BegunRuns> {
  const { trx } = writing;
  const { grouped = [], free = [] } = Object.groupBy(runs, ({ job_group }) =>
    job_group === null ? "free" : "grouped",
  );
  if (grouped.length === 0) return { begun: await insertRuns(trx, free), full: new Set() };
  const begun = new Set<string>();
  const full = await insertWithinLimits(
    {
      limits,
      lock: (groups) => lockGroups(writing, groups),
      countRunning: (groups) => countRunning(trx, groups),
      async insert(some: readonly NewRun[]) {
        const ids = await insertRuns(trx, some);
        for (const id of ids) begun.add(id);
        return ids;
      },
    },
    grouped,
  );
  return { begun: begun.union(await insertRuns(trx, free)), full };
}

/** On SQLite, a transaction that writes excludes all others anyway. */
async function lockGroups({ trx, engine }: Writing, groups: readonly string[]): Promise<void> {
  if (engine === "sqlite") return;
  const ofGroups = trx.selectFrom("annex_cron_groups").select("name").where("name", "in", groups);
  const lock = () => ofGroups.orderBy("name").forUpdate().execute();
  if ((await lock()).length === groups.length) return;
  await trx
    .insertInto("annex_cron_groups")
    .values(groups.map((name) => ({ name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await lock();
}

async function countRunning(
  trx: Transaction<CronTables>,
  groups: readonly string[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom("annex_cron_runs")
    .select((eb) => ["job_group", eb.fn.countAll<number>().as("count")])
    .where("status", "=", "running")
    .where("job_group", "in", groups)
    .groupBy("job_group")
    .execute();
  return new Map(rows.map(({ job_group, count }) => [job_group!, Number(count)]));
}

/** Returns the IDs of the runs that were stored. */
async function insertRuns(trx: Transaction<CronTables>, runs: readonly NewRun[]): Promise<Set<string>> {
  const begun = new Set<string>();
  // All instances write in the same order, to avoid deadlocks. This applies to all writes below.
  const sorted = runs.toSorted((one, other) => compare(one.job_id, other.job_id));
  for (const part of slices(sorted)) {
    const rows = await trx
      .insertInto("annex_cron_runs")
      .values(part.map(newRow))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    for (const { id } of rows) begun.add(id);
  }
  return begun;
}

function newRow(run: NewRun): RunRow {
  return {
    parameters: null,
    retry_plan: null,
    ...run,
    status: "running",
    ended_at: 0,
    duration_ms: 0,
    progress: null,
    output: "[]",
    cancelled_by: null,
  };
}

/** The retry of an interrupted run, if it is to have one. */
function retryOf(row: RunRow, now: number): QueuedRow | undefined {
  if (row.retry_plan === null || row.cancelled_by !== null) return undefined;
  return createRetry(row, JSON.parse(row.retry_plan), { now, reason: "interrupted" });
}

interface Writing {
  readonly trx: Transaction<CronTables>;
  readonly engine: Database["engine"];
}

/**
 * Updates runs with one of these statuses, and the sums, in one transaction so that they stay consistent. Returns the
 * runs that it updated.
 */
async function endRuns(
  writing: Writing,
  runs: readonly RunEnd[],
  statuses: readonly RunStatus[],
): Promise<RunEnd[]> {
  const { trx } = writing;
  const sorted = runs.toSorted((one, other) => compare(one.id, other.id));
  const ended: RunEnd[] = [];
  for (const part of slices(sorted)) {
    const found = await findForUpdate(writing, part, statuses);
    const updated = part.filter(({ id }) => found.has(id));
    if (updated.length === 0) continue;
    const rows = updated.map(
      ({ id, status, endedAt, durationMs, progress, output }) =>
        sql`(${asText(id)}, ${asText(status)}, ${asInteger(endedAt)}, ${asInteger(durationMs)}, ${asReal(progress)}, ${asText(output)})`,
    );
    await sql`
      update annex_cron_runs
      set status = v.status, ended_at = v.ended_at, duration_ms = v.duration_ms, progress = v.progress,
        output = v.output, exclusive = null
      from (
        select column1 as id, column2 as status, column3 as ended_at, column4 as duration_ms, column5 as progress,
          column6 as output
        from (values ${sql.join(rows)}) as given
      ) as v
      where annex_cron_runs.id = v.id`.execute(trx);
    const corrected = [...found.values()].filter(({ status }) => status !== "running");
    await subtractFromJobs(writing, corrected);
    await queueRetries(trx, updated, new Map(corrected.map((row) => [row.id, row])));
    ended.push(...updated);
  }
  await addToJobs(trx, sumByJob(ended));
  return ended;
}

/**
 * Queues the retries of runs. Whoever gave up a run that has ended after all has queued its retry, which is superfluous
 * if the run has succeeded.
 */
async function queueRetries(
  trx: Transaction<CronTables>,
  ended: readonly RunEnd[],
  corrected: ReadonlyMap<string, EndedRow>,
): Promise<void> {
  const isQueued = ({ id }: RunEnd) => corrected.get(id)?.retry_plan != null;
  await addToQueue(
    trx,
    ended.flatMap((run) => (run.retry && !isQueued(run) ? [run.retry] : [])),
  );
  const succeeded = ended.filter((run) => run.status === "success" && isQueued(run));
  await removeRetriesOf(
    trx,
    succeeded.map(({ id }) => id),
  );
}

/** The runs that have one of these statuses. PostgreSQL locks them in the order of their IDs, to avoid deadlocks. */
async function findForUpdate(
  { trx, engine }: Writing,
  runs: readonly { readonly id: string }[],
  statuses: readonly RunStatus[],
): Promise<Map<string, EndedRow>> {
  const ids = runs.map(({ id }) => id);
  const rows = await trx
    .selectFrom("annex_cron_runs")
    .select(["id", "job_id", "status", "duration_ms", "retry_plan"])
    .where("id", "in", ids)
    .where("status", "in", statuses)
    .orderBy("id")
    .$if(engine === "postgres", (query) => query.forUpdate())
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Both engines need to know the types of values that stand for a table. */
const asText = (value: string) => sql`cast(${value} as text)`;
const asInteger = (value: number) => sql`cast(${value} as bigint)`;
const asReal = (value: number | null) => sql`cast(${value} as double precision)`;

interface JobSum {
  job_id: string;
  last_run: number;
  last_status: RunEnd["status"];
  success_count: number;
  failed_count: number;
  duration_ms: number;
}

function sumByJob(runs: readonly RunEnd[]): JobSum[] {
  const sums = new Map<string, JobSum>();
  for (const { jobId, status, startedAt, durationMs } of runs) {
    const sum = sums.get(jobId);
    const isLast = sum === undefined || startedAt >= sum.last_run;
    sums.set(jobId, {
      job_id: jobId,
      last_run: isLast ? startedAt : sum.last_run,
      last_status: isLast ? status : sum.last_status,
      success_count: (sum?.success_count ?? 0) + (status === "success" ? 1 : 0),
      failed_count: (sum?.failed_count ?? 0) + (status === "success" ? 0 : 1),
      duration_ms: (sum?.duration_ms ?? 0) + durationMs,
    });
  }
  return [...sums.values()].sort((one, other) => compare(one.job_id, other.job_id));
}

async function addToJobs(trx: Transaction<CronTables>, sums: JobSum[]): Promise<void> {
  for (const part of slices(sums)) {
    await trx
      .insertInto("annex_cron_jobs")
      .values(part)
      .onConflict((conflict) =>
        conflict.column("job_id").doUpdateSet((eb) => {
          const add = (column: "success_count" | "failed_count" | "duration_ms") =>
            eb(`annex_cron_jobs.${column}`, "+", eb.ref(`excluded.${column}`));
          const isLast = eb.or([
            eb("annex_cron_jobs.last_run", "is", null),
            eb("annex_cron_jobs.last_run", "<=", eb.ref("excluded.last_run")),
          ]);
          const latest = <C extends "last_run" | "last_status">(column: C) =>
            eb
              .case()
              .when(isLast)
              .then(eb.ref(`excluded.${column}`))
              .else(eb.ref(`annex_cron_jobs.${column}`))
              .end();
          return {
            last_run: latest("last_run"),
            last_status: latest("last_status"),
            success_count: add("success_count"),
            failed_count: add("failed_count"),
            duration_ms: add("duration_ms"),
          };
        }),
      )
      .execute();
  }
}

async function purge(
  writing: Writing,
  { from = 1, before, jobs }: PurgeSelection,
  limit: number,
): Promise<Purged> {
  const { trx } = writing;
  let oldest = trx
    .selectFrom("annex_cron_runs")
    .select("id")
    .where("ended_at", ">=", Math.max(from, 1))
    .limit(limit);
  if (before !== undefined) oldest = oldest.where("ended_at", "<", before);
  if (typeof jobs === "object") {
    // Nearly the order of ends, and that of an index.
    oldest = oldest.where("job_id", "=", jobs.id).orderBy("started_at").orderBy("id");
    if (before !== undefined) oldest = oldest.where("started_at", "<", before);
  } else oldest = oldest.orderBy("ended_at").orderBy("id");
  if (jobs === "shared")
    oldest = oldest.where("job_id", "not in", (eb) =>
      eb.selectFrom("annex_cron_jobs").select("job_id").where("retention_ms", "is not", null),
    );
  const gone = await trx
    .deleteFrom("annex_cron_runs")
    .where("id", "in", oldest)
    .returning(["id", "job_id", "status", "duration_ms", "ended_at"])
    .execute();
  await subtractFromJobs(writing, gone);
  const lastEnd = gone.length === 0 ? undefined : Math.max(...gone.map(({ ended_at }) => ended_at));
  return { count: gone.length, lastEnd };
}

type CountedRow = Pick<RunRow, "job_id" | "status" | "duration_ms">;
type EndedRow = CountedRow & Pick<RunRow, "id" | "retry_plan">;

/** Removes runs from the sums of their jobs. */
async function subtractFromJobs({ trx, engine }: Writing, rows: readonly CountedRow[]): Promise<void> {
  const sums = new Map<string, { success: number; failed: number; duration: number }>();
  for (const { job_id, status, duration_ms } of rows) {
    const sum = sums.get(job_id) ?? { success: 0, failed: 0, duration: 0 };
    sum[status === "success" ? "success" : "failed"]++;
    sum.duration += duration_ms;
    sums.set(job_id, sum);
  }
  for (const part of slices([...sums].sort(([one], [other]) => compare(one, other)))) {
    if (engine === "postgres")
      await lockJobs(
        trx,
        part.map(([jobId]) => jobId),
      );
    const values = part.map(
      ([jobId, { success, failed, duration }]) =>
        sql`(${asText(jobId)}, ${asInteger(success)}, ${asInteger(failed)}, ${asInteger(duration)})`,
    );
    await sql`
      update annex_cron_jobs
      set success_count = success_count - v.success, failed_count = failed_count - v.failed,
        duration_ms = duration_ms - v.duration
      from (
        select column1 as job_id, column2 as success, column3 as failed, column4 as duration
        from (values ${sql.join(values)}) as given
      ) as v
      where annex_cron_jobs.job_id = v.job_id`.execute(trx);
  }
}

/** In the order of their IDs, to avoid deadlocks. */
async function lockJobs(trx: Transaction<CronTables>, jobIds: readonly string[]): Promise<void> {
  await trx
    .selectFrom("annex_cron_jobs")
    .select("job_id")
    .where("job_id", "in", jobIds)
    .orderBy("job_id")
    .forUpdate()
    .execute();
}

/** Appends an error to the stored output. */
function withError(output: string, message: string): string {
  const entry = JSON.stringify({ level: "error", message });
  return output === "[]" ? `[${entry}]` : `${output.slice(0, -1)},${entry}]`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
