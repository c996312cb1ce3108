import { readMigrations, type Store } from "../../storage/index.ts";

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

export const accessMigrations = readMigrations("access", new URL("./migrations/", import.meta.url));

export const accessStore: Store = {
  name: "access",
  contents: ["access log"],
  tables: ["annex_access"],
  migrations: accessMigrations,
  retention: [{ of: "access events", option: "access.retentionDays" }],
};
