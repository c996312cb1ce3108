import type { Database } from "../storage/index.ts";
import type { CronTables } from "./tables.ts";

/** What is kept of a job besides its runs. It outlives the registration. */
export type JobRow = CronTables["annex_cron_jobs"];

export type Switch = "paused" | "removed";

/** Keeps what was decided about jobs at run time, and the scheduler's own settings. */
export interface JobStore {
  all(): Promise<JobRow[]>;
  find(jobId: string): Promise<JobRow | undefined>;
  /** Turns a switch on in somebody's name, or off. Since when the job is planned is not known afterwards. */
  turn(name: Switch, jobId: string, by: { at: number; actor: string | null } | null): Promise<void>;
  /** Notes since when these jobs' ticks are looked after, unless that is known. */
  noteKnown(jobIds: string[], now: number): Promise<void>;
  /** Notes how these jobs are planned from now on. */
  notePlanned(plans: readonly { id: string; plannedAs: string }[], now: number): Promise<void>;
  /** Forgets since when these jobs are planned. */
  forgetPlanned(jobIds: readonly string[]): Promise<void>;
  setting(name: SettingName): Promise<string | undefined>;
  changeSetting(name: SettingName, value: string): Promise<void>;
}

/** `alive_until`: every tick up to then has been looked after by some instance. */
export type SettingName = "timezone" | "alive_until";

/** Both engines limit the number of values in a statement. */
const rowsPerStatement = 500;

const emptyJob = { success_count: 0, failed_count: 0, duration_ms: 0 };

export function createJobStore(database: Database): JobStore {
  const tables = database.tables<CronTables>();
  return {
    all: () => tables.selectFrom("annex_cron_jobs").selectAll().execute(),

    find: (jobId) =>
      tables.selectFrom("annex_cron_jobs").selectAll().where("job_id", "=", jobId).executeTakeFirst(),

    async turn(name, jobId, by) {
      const at = by?.at ?? null;
      const actor = by?.actor ?? null;
      const turned =
        name === "paused" ? { paused_at: at, paused_by: actor } : { removed_at: at, removed_by: actor };
      const values = { ...turned, planned_since: null };
      await tables
        .insertInto("annex_cron_jobs")
        .values({ job_id: jobId, success_count: 0, failed_count: 0, duration_ms: 0, ...values })
        .onConflict((conflict) => conflict.column("job_id").doUpdateSet(values))
        .execute();
    },

    async noteKnown(jobIds, now) {
      for (const job_id of jobIds) {
        await tables
          .insertInto("annex_cron_jobs")
          .values({ job_id, known_since: now, success_count: 0, failed_count: 0, duration_ms: 0 })
          .onConflict((conflict) =>
            conflict
              .column("job_id")
              .doUpdateSet({ known_since: now })
              .where("annex_cron_jobs.known_since", "is", null),
          )
          .execute();
      }
    },

    async notePlanned(plans, now) {
      const rows = plans
        .map(({ id, plannedAs }) => ({ ...emptyJob, job_id: id, planned_as: plannedAs, planned_since: now }))
        .sort((one, other) => (one.job_id < other.job_id ? -1 : 1));
      for (let start = 0; start < rows.length; start += rowsPerStatement) {
        await tables
          .insertInto("annex_cron_jobs")
          .values(rows.slice(start, start + rowsPerStatement))
          .onConflict((conflict) =>
            conflict.column("job_id").doUpdateSet((eb) => ({
              planned_as: eb.ref("excluded.planned_as"),
              planned_since: eb.ref("excluded.planned_since"),
            })),
          )
          .execute();
      }
    },

    async forgetPlanned(jobIds) {
      for (let start = 0; start < jobIds.length; start += rowsPerStatement) {
        await tables
          .updateTable("annex_cron_jobs")
          .set({ planned_since: null })
          .where("job_id", "in", jobIds.slice(start, start + rowsPerStatement))
          .execute();
      }
    },

    async setting(name) {
      const row = await tables
        .selectFrom("annex_cron_settings")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst();
      return row?.value;
    },

    async changeSetting(name, value) {
      await tables
        .insertInto("annex_cron_settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },
  };
}
