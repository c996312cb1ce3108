import type { Database } from "../../../storage/index.ts";
import type { CronTables } from "../tables.ts";

/** An instance is considered dead if its counter does not change for this number of our own beats. */
const missedBeats = 4;

/** The instances that share a database, and which of them are alive. */
export interface Instances {
  /** Writes the heartbeat of this instance. Returns the IDs of all live instances, including this one. */
  beat(): Promise<string[]>;
  leave(): Promise<void>;
}

/**
 * Each instance increments a counter in the database, and the others watch it change. This compares no clocks between
 * machines and works behind a connection pooler.
 */
export function createInstances(database: Database, instance: string): Instances {
  const tables = database.tables<CronTables>();
  let beats = 0;
  let seen = new Map<string, { beat: number; since: number }>();

  return {
    async beat() {
      beats++;
      await tables
        .insertInto("annex_cron_instances")
        .values({ id: instance, beat: beats })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ beat: beats }))
        .execute();
      const rows = await tables.selectFrom("annex_cron_instances").selectAll().execute();
      seen = new Map(
        rows.map(({ id, beat }) => {
          const before = seen.get(id);
          return [id, before?.beat === beat ? before : { beat, since: beats }];
        }),
      );
      const isDead = (id: string) => id !== instance && beats - seen.get(id)!.since >= missedBeats;
      const dead = rows.map(({ id }) => id).filter(isDead);
      if (dead.length > 0) await tables.deleteFrom("annex_cron_instances").where("id", "in", dead).execute();
      return rows.map(({ id }) => id).filter((id) => !isDead(id));
    },

    async leave() {
      await tables.deleteFrom("annex_cron_instances").where("id", "=", instance).execute();
    },
  };
}

/** For a single process: the lock on the data folder rules out other instances. */
export function createSingleInstance(instance: string): Instances {
  return { beat: async () => [instance], leave: async () => {} };
}
