import type { SchemaModule } from "kysely";
import type { MigrationSet } from "../storage/index.ts";
import type { FinishedStatus } from "./runs/execution.ts";

/** Status of a run. */
export type RunStatus = FinishedStatus | "running";

export const runStatuses = [
  "running",
  "success",
  "failed",
  "timeout",
  "interrupted",
] as const satisfies RunStatus[];

/** What started a run. */
export type Trigger = "schedule" | "manual" | "catch-up" | "retry";

export const triggers = ["schedule", "manual", "catch-up", "retry"] as const satisfies Trigger[];

/** Table types for queries. Times are milliseconds since the epoch. */
export interface CronTables {
  annex_cron_runs: {
    id: string;
    job_id: string;
    job_name: string;
    status: RunStatus;
    trigger: Trigger;
    /** Who started the run; null for scheduled runs. */
    actor: string | null;
    trace_id: string;
    scheduled_at: number;
    /** 1 for the first attempt, incremented with each retry. */
    attempt: number;
    started_at: number;
    /** 0 while the run is in progress. */
    ended_at: number;
    /** 0 while the run is in progress. */
    duration_ms: number;
    /** From 0 to 1. */
    progress: number | null;
    output: string;
    instance: string;
    /** Job ID and scheduled time. Unique, so that each tick runs only once. */
    tick: string | null;
    /** Job ID while an exclusive run is in progress. Unique, so that no second run can start. */
    exclusive: string | null;
    /** Who cancelled the run. Read by the instance that executes it. */
    cancelled_by: string | null;
  };
  annex_cron_jobs: {
    job_id: string;
    /** When and by whom the job was removed or paused; null if it is not. */
    removed_at: number | null;
    removed_by: string | null;
    paused_at: number | null;
    paused_by: string | null;
    /** Since when the job's ticks are processed. Only set for jobs that catch up. */
    known_since: number | null;
    /** Current schedule and time zone, and since when they are active without a pause; null if unknown. */
    planned_as: string | null;
    planned_since: number | null;
    last_run: number | null;
    last_status: FinishedStatus | null;
    /** Sums over the finished runs in the log, so that queries do not have to count them. */
    success_count: number;
    failed_count: number;
    duration_ms: number;
  };
  annex_cron_settings: { name: string; value: string };
  annex_cron_instances: { id: string; beat: number };
}

const firstIndexes: Readonly<Record<string, string[]>> = {
  started: ["started_at", "id"],
  job_started: ["job_id", "started_at", "id"],
  ended: ["ended_at", "id"],
  duration: ["duration_ms", "id"],
  status: ["status", "id"],
  name: ["job_name", "id"],
};

const laterIndexes: Readonly<Record<string, string[]>> = {
  // Covering index: recent runs of a thousand jobs are read without accessing the rows.
  job_history: ["job_id", "started_at", "id", "status", "duration_ms"],
  status_started: ["status", "started_at", "id"],
  trigger_started: ["trigger", "started_at", "id"],
  trace: ["trace_id", "started_at", "id"],
};

const { job_started: _replaced, ...keptIndexes } = firstIndexes;

/** Sort orders that can be read without sorting a million runs. */
export const runIndexes: Readonly<Record<string, string[]>> = { ...keptIndexes, ...laterIndexes };

export const cronMigrations: MigrationSet = {
  feature: "cron",
  migrations: {
    "001-runs": {
      async up({ schema }, { text, integer, real }) {
        await schema
          .createTable("annex_cron_runs")
          .addColumn("id", text, (column) => column.primaryKey())
          .addColumn("job_id", text, (column) => column.notNull())
          .addColumn("job_name", text, (column) => column.notNull())
          .addColumn("status", text, (column) => column.notNull())
          .addColumn("trigger", text, (column) => column.notNull())
          .addColumn("actor", text)
          .addColumn("trace_id", text, (column) => column.notNull())
          .addColumn("scheduled_at", integer, (column) => column.notNull())
          .addColumn("attempt", integer, (column) => column.notNull())
          .addColumn("started_at", integer, (column) => column.notNull())
          .addColumn("ended_at", integer, (column) => column.notNull())
          .addColumn("duration_ms", integer, (column) => column.notNull())
          .addColumn("progress", real)
          .addColumn("output", text, (column) => column.notNull())
          .addColumn("instance", text, (column) => column.notNull())
          .addColumn("tick", text, (column) => column.unique())
          .addColumn("exclusive", text, (column) => column.unique())
          .addColumn("cancelled_by", text)
          .execute();
        await createRunIndexes(schema, firstIndexes);
      },
    },
    "002-jobs": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_cron_jobs")
          .addColumn("job_id", text, (column) => column.primaryKey())
          .addColumn("removed_at", integer)
          .addColumn("removed_by", text)
          .addColumn("paused_at", integer)
          .addColumn("paused_by", text)
          .addColumn("known_since", integer)
          .addColumn("last_run", integer)
          .addColumn("last_status", text)
          .addColumn("success_count", integer, (column) => column.notNull().defaultTo(0))
          .addColumn("failed_count", integer, (column) => column.notNull().defaultTo(0))
          .addColumn("duration_ms", integer, (column) => column.notNull().defaultTo(0))
          .execute();
      },
    },
    "003-settings": {
      async up({ schema }, { text }) {
        await schema
          .createTable("annex_cron_settings")
          .addColumn("name", text, (column) => column.primaryKey())
          .addColumn("value", text, (column) => column.notNull())
          .execute();
      },
    },
    "004-instances": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_cron_instances")
          .addColumn("id", text, (column) => column.primaryKey())
          .addColumn("beat", integer, (column) => column.notNull())
          .execute();
      },
    },
    "005-history": {
      async up({ schema }) {
        await createRunIndexes(schema, laterIndexes);
        await schema.dropIndex("annex_cron_runs_job_started").execute();
      },
    },
    "006-plans": {
      async up({ schema }, { text, integer }) {
        await schema.alterTable("annex_cron_jobs").addColumn("planned_as", text).execute();
        await schema.alterTable("annex_cron_jobs").addColumn("planned_since", integer).execute();
      },
    },
  },
};

async function createRunIndexes(
  schema: SchemaModule,
  indexes: Readonly<Record<string, string[]>>,
): Promise<void> {
  for (const [name, columns] of Object.entries(indexes)) {
    await schema.createIndex(`annex_cron_runs_${name}`).on("annex_cron_runs").columns(columns).execute();
  }
}
