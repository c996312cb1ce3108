import type { Transaction } from "kysely";
import { type GroupLimits, insertWithinLimits } from "../../limits/group-limits.ts";
import type { CronTables } from "../../tables.ts";
import { slices } from "../batch.ts";
import type { RunRow } from "../run.ts";
import { compare, type Writing } from "./writing.ts";

type Optional = "parameters" | "retry_plan" | "first_run_id";

export type NewRun = Omit<
  RunRow,
  "status" | "ended_at" | "duration_ms" | "progress" | "output" | "cancelled_by" | Optional
> &
  Partial<Pick<RunRow, Optional>>;

export interface BegunRuns {
  readonly begun: ReadonlySet<string>;
  /** Runs whose group had no room. */
  readonly full: ReadonlySet<string>;
}

/** Stores the runs that may begin. Those of a group begin only within its limit. */
export async function insertAll(
  writing: Writing,
  runs: readonly NewRun[],
  limits: GroupLimits,
): Promise<BegunRuns> {
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
    first_run_id: null,
    ...run,
    status: "running",
    ended_at: 0,
    duration_ms: 0,
    progress: null,
    output: "[]",
    cancelled_by: null,
  };
}
