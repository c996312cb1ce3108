import type { Database } from "../storage/index.ts";
import type { CronTables } from "./tables.ts";

/** What is kept of a job besides its runs. It outlives the registration. */
export type JobRow = CronTables["annex_cron_jobs"];

export type Switch = "paused" | "removed";

/** Keeps what was decided about jobs at run time, and the scheduler's own settings. */
export interface JobStore {
  all(): Promise<JobRow[]>;
  find(jobId: string): Promise<JobRow | undefined>;
  /** Turns a switch on in somebody's name, or off. */
  turn(name: Switch, jobId: string, by: { at: number; actor: string | null } | null): Promise<void>;
  /** Notes since when these jobs' ticks are looked after, unless that is known. */
  noteKnown(jobIds: string[], now: number): Promise<void>;
  setting(name: SettingName): Promise<string | undefined>;
  changeSetting(name: SettingName, value: string): Promise<void>;
}

/** `alive_until`: every tick up to then has been looked after by some instance. */
export type SettingName = "timezone" | "alive_until";

export function createJobStore(database: Database): JobStore {
  const tables = database.tables<CronTables>();
  return {
    all: () => tables.selectFrom("annex_cron_jobs").selectAll().execute(),

    find: (jobId) =>
      tables.selectFrom("annex_cron_jobs").selectAll().where("job_id", "=", jobId).executeTakeFirst(),

    async turn(name, jobId, by) {
      const at = by?.at ?? null;
      const actor = by?.actor ?? null;
      const values =
        name === "paused" ? { paused_at: at, paused_by: actor } : { removed_at: at, removed_by: actor };
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
