import type { Database } from "../../storage/index.ts";
import type { SettingsTables } from "./tables.ts";

export type SettingRow = SettingsTables["annex_settings"];

/** Stores run-time changes of settings. */
export interface SettingStore {
  all(): Promise<SettingRow[]>;
  put(row: SettingRow): Promise<void>;
  /** Returns whether this call removed the row. */
  remove(name: string): Promise<boolean>;
  /** Removes the row only if it is unchanged, so that only one of several instances ends the change. */
  end(row: SettingRow): Promise<boolean>;
}

export function createSettingStore(database: () => Promise<Database>): SettingStore {
  const tables = async () => (await database()).tables<SettingsTables>();
  return {
    all: async () => (await tables()).selectFrom("annex_settings").selectAll().execute(),

    async put({ name, ...values }) {
      await (await tables())
        .insertInto("annex_settings")
        .values({ name, ...values })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
        .execute();
    },

    async remove(name) {
      const deletion = (await tables()).deleteFrom("annex_settings").where("name", "=", name);
      return (await deletion.returning("name").executeTakeFirst()) !== undefined;
    },

    async end({ name, changed_at, until }) {
      const deletion = (await tables()).deleteFrom("annex_settings").where("name", "=", name);
      const same = deletion.where("changed_at", "=", changed_at).where("until", "=", until);
      return (await same.returning("name").executeTakeFirst()) !== undefined;
    },
  };
}
