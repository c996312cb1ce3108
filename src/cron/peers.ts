import type { Database } from "../storage/index.ts";
import type { CronTables } from "./tables.ts";

/** An instance whose counter stands still for that many of our own beats is gone. */
const missedBeats = 4;

/** The instances that share one database, and which of them are alive. */
export interface Peers {
  /** Shows that this instance is alive, and tells which are, itself included. */
  beat(): Promise<string[]>;
  leave(): Promise<void>;
}

/**
 * Each instance counts up a number in the database, and the others watch it change. Nobody's clock is compared with
 * anybody else's, and a connection pooler may stand in between.
 */
export function createPeers(database: Database, instance: string): Peers {
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

/** One process on a folder of its own: the folder's lock says that there is no other. */
export function createNoPeers(instance: string): Peers {
  return { beat: async () => [instance], leave: async () => {} };
}
