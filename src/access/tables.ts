import type { MigrationSet } from "../storage/index.ts";

/** The type of the table. Times are milliseconds since the epoch. */
export interface AccessTables {
  annex_access: {
    /** Chosen by the instance that writes the row, so that a repeated write updates it. */
    id: string;
    /** Time of the first event of the row. */
    first_at: number;
    /** Time of the last event of the row. */
    last_at: number;
    kind: string;
    account: string | null;
    actor: string | null;
    address: string | null;
    agent: string | null;
    /** The trace ID of the first event. */
    trace_id: string | null;
    detail: string | null;
    instance: string;
    /** The number of events in the row. */
    count: number;
    /** 1 for a row that only counts the events beyond the hourly limit. */
    is_overflow: number;
  };
}

export const accessMigrations: MigrationSet = {
  feature: "access",
  migrations: {
    "001-access": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_access")
          .addColumn("id", text, (column) => column.primaryKey())
          .addColumn("first_at", integer, (column) => column.notNull())
          .addColumn("last_at", integer, (column) => column.notNull())
          .addColumn("kind", text, (column) => column.notNull())
          .addColumn("account", text)
          .addColumn("actor", text)
          .addColumn("address", text)
          .addColumn("agent", text)
          .addColumn("trace_id", text)
          .addColumn("detail", text)
          .addColumn("instance", text, (column) => column.notNull())
          .addColumn("count", integer, (column) => column.notNull())
          .addColumn("is_overflow", integer, (column) => column.notNull())
          .execute();
        await schema
          .createIndex("annex_access_first_at")
          .on("annex_access")
          .columns(["first_at", "id"])
          .execute();
        await schema
          .createIndex("annex_access_kind")
          .on("annex_access")
          .columns(["kind", "first_at", "id"])
          .execute();
      },
    },
  },
};
