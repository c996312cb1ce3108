import { type Auth, authMigrations } from "../auth/index.ts";
import { type Cron, cronMigrations } from "../cron/index.ts";
import { type Docs, mountDocs } from "../docs/index.ts";
import type { RootRouter } from "../http/index.ts";
import { type Health, mountHealth } from "../metrics/index.ts";
import type { MigrationSet } from "../storage/index.ts";

/** What a feature may use when it is mounted. */
export interface Parts {
  readonly auth: Auth;
  readonly health: Health;
  readonly cron: Cron;
  readonly docs: Docs;
}

export interface Feature {
  readonly name: string;
  /** Path prefixes that no route of the application may have. */
  readonly reserves?: readonly string[];
  readonly migrations?: MigrationSet;
  /** Registers its routes. They have a chain of their own: middleware of the application never runs on them. */
  mount?(router: RootRouter, parts: Parts): void;
}

/** Everything that is mounted, in order. A feature is switched off by deleting its line. */
export const features: readonly Feature[] = [
  {
    name: "auth",
    reserves: ["/_", "/api/collections/_superusers"],
    migrations: authMigrations,
    mount: (router, { auth }) => auth.mount(router),
  },
  { name: "metrics", reserves: ["/api/health"], mount: (router, { health }) => mountHealth(router, health) },
  {
    name: "cron",
    reserves: ["/api/cron"],
    migrations: cronMigrations,
    mount: (router, { cron }) => cron.mount(router),
  },
  { name: "docs", reserves: ["/api/docs"], mount: (router, { docs }) => mountDocs(router, docs) },
];
