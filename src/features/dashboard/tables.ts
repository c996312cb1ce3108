import { readMigrations, type Store } from "../../storage/index.ts";

/** Table types for queries. Times are milliseconds since the epoch. */
export interface DashboardTables {
  annex_saved_views: {
    id: string;
    superuser_id: string;
    name: string;
    /** The name in lower case. Unique per superuser. */
    name_key: string;
    /** A path of the dashboard with its query, such as "/_/_/logs?range=1h". */
    address: string;
    created: number;
    updated: number;
  };
}

export const dashboardMigrations = readMigrations("dashboard", new URL("./migrations/", import.meta.url));

export const dashboardStore: Store = {
  name: "views",
  contents: ["saved views"],
  tables: ["annex_saved_views"],
  migrations: dashboardMigrations,
};
