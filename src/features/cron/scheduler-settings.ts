import type { Database } from "../../storage/index.ts";
import type { CronTables } from "./tables.ts";

/**
 * `alive_until`: time until which all ticks have been processed by some instance. `pruned_until`: runs that ended before
 * this time have been deleted, unless their job has its own retention. `crowded_until`: the same for runs that were too many.
 */
export type SchedulerSetting = "timezone" | "alive_until" | "pruned_until" | "crowded_until";

/** Stores the settings of the scheduler, which all instances share. */
export interface SchedulerSettings {
  get(name: SchedulerSetting): Promise<string | undefined>;
  set(name: SchedulerSetting, value: string): Promise<void>;
}

export function createSchedulerSettings(database: Database): SchedulerSettings {
  const tables = database.tables<CronTables>();
  return {
    async get(name) {
      const row = await tables
        .selectFrom("annex_cron_settings")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst();
      return row?.value;
    },

    async set(name, value) {
      await tables
        .insertInto("annex_cron_settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },
  };
}
