import { sql, type Transaction } from "kysely";
import { type GroupLimits, insertWithinLimits } from "../../limits/group-limits.ts";
import { type CronTables, databaseNow } from "../../tables.ts";
import { slices } from "../batch.ts";
import type { RunRow } from "../run.ts";
import { compare, type Writing } from "./writing.ts";

type Optional = "parameters" | "retry_plan" | "first_run_id";

export type NewRun = Omit<
  RunRow,
  "status" | "ended_at" | "duration_ms" | "progress" | "output" | "cancelled_by" | Optional
> &
  Partial<Pick<RunRow, Optional>>;

/** What came of runs that were to begin. */
export interface BegunRuns extends Inserted {
  /** Runs whose group had no room. */
  readonly full: ReadonlySet<string>;
}

interface Inserted {
  readonly begun: ReadonlySet<string>;
  /** Ticks that are not due yet by the clock of the database. */
  readonly early: ReadonlySet<string>;
  /** Whether the instance has a lease. If not, nothing begins. */
  readonly hasLease: boolean;
}

/** A transaction in which runs begin. */
export interface Beginning extends Writing {
  readonly limits: GroupLimits;
  readonly needsLease: boolean;
}

const nothing: Inserted = { begun: new Set(), early: new Set(), hasLease: true };

/** Stores the runs that may begin. Those of a group begin only within its limit. */
export async function insertAll(beginning: Beginning, runs: readonly NewRun[]): Promise<BegunRuns> {
  const { trx, limits } = beginning;
  const { grouped = [], free = [] } = Object.groupBy(runs, ({ job_group }) =>
    job_group === null ? "free" : "grouped",
  );
  const insertion = new Insertion(beginning);
  const insert = (some: readonly NewRun[]) => insertion.insert(some);
  const full =
    grouped.length === 0
      ? new Set<string>()
      : await insertWithinLimits(
          {
            limits,
            lock: (groups) => lockGroups(beginning, groups),
            countRunning: (groups) => countRunning(trx, groups),
            insert,
          },
          grouped,
        );
  await insert(free);
  return { ...insertion.inserted, full };
}

/** Stores runs in several steps, without statements for runs that cannot begin as far as is known. */
class Insertion {
  private readonly beginning: Beginning;
  inserted = nothing;
  /** The time from which ticks are not due yet. */
  private earlyFrom = Number.POSITIVE_INFINITY;

  constructor(beginning: Beginning) {
    this.beginning = beginning;
  }

  /** Returns the IDs of the runs that began. */
  async insert(runs: readonly NewRun[]): Promise<ReadonlySet<string>> {
    if (!this.inserted.hasLease) return nothing.begun;
    const { early = [], rest = [] } = Object.groupBy(runs, (run) => (this.isEarly(run) ? "early" : "rest"));
    const result = await insertRuns(this.beginning, rest);
    for (const { id, scheduled_at } of rest)
      if (result.early.has(id)) this.earlyFrom = Math.min(this.earlyFrom, scheduled_at);
    const known = { ...nothing, early: new Set(early.map(({ id }) => id)) };
    this.inserted = [known, result].reduce(combine, this.inserted);
    return result.begun;
  }

  private isEarly({ tick, scheduled_at }: NewRun): boolean {
    return tick !== null && scheduled_at >= this.earlyFrom;
  }
}

function combine(one: Inserted, other: Inserted): Inserted {
  return {
    begun: one.begun.union(other.begun),
    early: one.early.union(other.early),
    hasLease: one.hasLease && other.hasLease,
  };
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

async function insertRuns(beginning: Beginning, runs: readonly NewRun[]): Promise<Inserted> {
  let inserted = nothing;
  // All instances write in the same order, to avoid deadlocks. This applies to all writes below.
  const sorted = runs.toSorted((one, other) => compare(one.job_id, other.job_id));
  for (const part of slices(sorted)) {
    const rows = part.map(newRow);
    const insert = beginning.engine === "postgres" ? insertDue : insertRows;
    inserted = combine(inserted, await insert(beginning, rows));
  }
  return inserted;
}

async function insertRows({ trx }: Beginning, rows: readonly RunRow[]): Promise<Inserted> {
  const stored = await trx
    .insertInto("annex_cron_runs")
    .values(rows.map((row) => ({ ...row, tick: row.tick === null ? null : "" })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  return { ...nothing, begun: new Set(stored.map(({ id }) => id)) };
}

/**
 * The statement that stores the runs decides by the clock and the leases of the database whether they may begin. This
 * instance may be wrong about both: its clocks may have been set, or stood still.
 */
async function insertDue({ trx, needsLease }: Beginning, runs: readonly RunRow[]): Promise<Inserted> {
  const { instance } = runs[0]!;
  const columns = sql.join(Object.keys(runs[0]!).map((name) => sql.ref(name)));
  const { rows } = await sql<{ begun: string[]; early: string[]; has_lease: boolean }>`
    with state as (
      select ${databaseNow} as now, ${sql.lit(!needsLease)} or exists (
        select from annex_cron_instances where id = ${instance} and expires_at >= ${databaseNow}
      ) as has_lease
    ), given as (
      select ${columns}, tick is not null and scheduled_at > (select now from state) as is_early
      from json_populate_recordset(null::annex_cron_runs, ${toJson(runs)}::json)
    ), begun as (
      insert into annex_cron_runs (${columns})
      select ${columns} from given where not is_early and (select has_lease from state)
      on conflict do nothing
      returning id
    )
    select has_lease, array(select id from begun) as begun, array(select id from given where is_early) as early
    from state`.execute(trx);
  const { begun, early, has_lease } = rows[0]!;
  return { begun: new Set(begun), early: new Set(early), hasLease: has_lease };
}

/** PostgreSQL refuses half of a surrogate pair in JSON. */
function toJson(rows: readonly RunRow[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
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
