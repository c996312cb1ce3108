import type { Generated } from "kysely";
import type { MigrationSet } from "../storage/index.ts";

/** Table types for queries. Times are milliseconds since the epoch; values are JSON. */
export interface SettingsTables {
  annex_settings: {
    name: string;
    value: string;
    changed_at: number;
    changed_by: string | null;
    /** Expiry time; null for permanent changes. */
    until: number | null;
  };
  annex_changes: {
    id: Generated<number>;
    at: number;
    /** Null if the application performed the action. */
    actor: string | null;
    instance: string;
    kind: string;
    subject: string;
    before: string | null;
    after: string | null;
    detail: string | null;
  };
}

export const settingsMigrations: MigrationSet = {
  feature: "settings",
  migrations: {
    "001-settings": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_settings")
          .addColumn("name", text, (column) => column.primaryKey())
          .addColumn("value", text, (column) => column.notNull())
          .addColumn("changed_at", integer, (column) => column.notNull())
          .addColumn("changed_by", text)
          .addColumn("until", integer)
          .execute();
      },
    },
    "002-changes": {
      async up({ schema }, { text, integer, serial }) {
        await schema
          .createTable("annex_changes")
          .addColumn("id", serial, (column) => column.primaryKey())
          .addColumn("at", integer, (column) => column.notNull())
          .addColumn("actor", text)
          .addColumn("instance", text, (column) => column.notNull())
          .addColumn("kind", text, (column) => column.notNull())
          .addColumn("subject", text, (column) => column.notNull())
          .addColumn("before", text)
          .addColumn("after", text)
          .addColumn("detail", text)
          .execute();
        await schema.createIndex("annex_changes_at").on("annex_changes").columns(["at", "id"]).execute();
      },
    },
  },
};
