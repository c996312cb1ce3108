import { type Access, accessMigrations } from "../access/index.ts";
import { type Auth, authMigrations } from "../auth/index.ts";
import { type Cron, cronMigrations } from "../cron/index.ts";
import { mountDashboard } from "../dashboard/index.ts";
import { type Docs, mountDocs } from "../docs/index.ts";
import type { RootRouter } from "../http/index.ts";
import { type LogPage, type LogQuery, mountLogs } from "../logging/index.ts";
import { type Metrics, mountMetrics } from "../metrics/index.ts";
import { type Settings, settingsMigrations } from "../settings/index.ts";
import type { MigrationSet } from "../storage/index.ts";
import type { Visitors } from "../visitors/index.ts";
import { annexVersion } from "./version.ts";

/** The parts that a feature can use when it is mounted. */
export interface Parts {
  readonly auth: Auth;
  readonly access: Access;
  readonly metrics: Metrics;
  readonly visitors: Visitors;
  searchLogs(query: LogQuery): Promise<LogPage>;
  readonly cron: Cron;
  readonly docs: Docs;
  readonly settings: Settings;
}

export interface Feature {
  readonly name: string;
  /** Path prefixes that routes of the application cannot use. */
  readonly reserves?: readonly string[];
  readonly migrations?: MigrationSet;
  /** Registers its routes. Middleware of the application does not run for them. */
  mount?(router: RootRouter, parts: Parts): void;
}

/** All features, in the order of mounting. To remove a feature, delete its line. */
export const features: readonly Feature[] = [
  {
    name: "auth",
    reserves: ["/_", "/api/collections/_superusers"],
    migrations: authMigrations,
    mount: (router, { auth }) => auth.mount(router),
  },
  {
    name: "access",
    migrations: accessMigrations,
    mount: (router, { access }) => access.mount(router),
  },
  {
    name: "metrics",
    reserves: ["/api/health"],
    mount: (router, { metrics }) => mountMetrics(router, metrics),
  },
  { name: "logging", mount: (router, { searchLogs }) => mountLogs(router, searchLogs) },
  { name: "visitors", mount: (router, { visitors }) => visitors.mount(router) },
  {
    name: "cron",
    reserves: ["/api/cron"],
    migrations: cronMigrations,
    mount: (router, { cron }) => cron.mount(router),
  },
  {
    name: "settings",
    migrations: settingsMigrations,
    mount: (router, { settings }) => settings.mount(router),
  },
  { name: "docs", reserves: ["/api/docs"], mount: (router, { docs }) => mountDocs(router, docs) },
  { name: "dashboard", mount: (router) => mountDashboard(router, { annexVersion }) },
];
