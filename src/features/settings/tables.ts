import type { Generated } from "kysely";
import { forDays, readMigrations, type Store } from "../../storage/index.ts";

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

export const settingsMigrations = readMigrations("settings", new URL("./migrations/", import.meta.url));

/** How long entries of the audit log are stored. */
export const auditLogDays = 400;

export const settingsStore: Store = {
  name: "settings",
  contents: ["settings", "audit log"],
  tables: ["annex_settings", "annex_changes"],
  migrations: settingsMigrations,
  retention: [{ of: "audit log", words: forDays(auditLogDays) }],
};
