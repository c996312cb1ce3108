import { readMigrations, type Store } from "../../storage/index.ts";

/** The requests to all instances. Used only if the instances share a database. */
export interface RateLimitTables {
  annex_rate_limits: {
    /** A digest of the limit and of what it counts by, so that backups contain no addresses. */
    key: string;
    count: number;
    /** When the window ends, in milliseconds since the epoch, on the clock of the database. */
    ends_at: number;
  };
}

export const rateLimitMigrations = readMigrations("rate-limits", new URL("./migrations/", import.meta.url));

export const rateLimitStore: Store = {
  name: "rate-limits",
  contents: [],
  tables: ["annex_rate_limits"],
  migrations: rateLimitMigrations,
};
