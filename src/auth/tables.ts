import type { Database, MigrationSet } from "../storage/index.ts";

/** The types of the tables. Times are milliseconds since the epoch. */
export interface AuthTables {
  annex_superusers: {
    id: string;
    email: string;
    password_hash: string;
    /** A token is valid only in the generation in which it was issued. A new password starts a new generation. */
    generation: number;
    created: number;
    updated: number;
  };
  annex_tokens: {
    hash: string;
    kind: TokenKind;
    superuser_id: string;
    generation: number;
    created: number;
    expires: number;
    /** Time of the sign-in with a password. Renewing a token does not change it. Null in rows of older releases. */
    signed_in: number | null;
    /** Updated at most once per minute. Null until the first use. */
    last_used: number | null;
    /** The address of the last use. */
    address: string | null;
    agent: string | null;
  };
  annex_login_attempts: { key: string; count: number; expires: number };
  annex_setup_links: { hash: string; expires: number };
  annex_known_clients: {
    /** Hash of the device cookie's secret, or of the network. */
    hash: string;
    superuser_id: string;
    kind: ClientKind;
    /** The generation of the account. A device is known until the password changes. */
    generation: number;
    expires: number;
  };
}

/** A "device" is a browser with a device cookie, a "network" an IPv4 address or an IPv6 /64. */
export type ClientKind = "device" | "network";

/** A "token" is sent as a bearer token, a "session" as a cookie. They are not interchangeable. */
export type TokenKind = "token" | "session";

/** Returns the open and migrated database. */
export type OpenDatabase = () => Promise<Database>;

export const authMigrations: MigrationSet = {
  feature: "auth",
  migrations: {
    "001-superusers": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_superusers")
          .addColumn("id", text, (column) => column.primaryKey())
          .addColumn("email", text, (column) => column.notNull().unique())
          .addColumn("password_hash", text, (column) => column.notNull())
          .addColumn("generation", integer, (column) => column.notNull())
          .addColumn("created", integer, (column) => column.notNull())
          .addColumn("updated", integer, (column) => column.notNull())
          .execute();
      },
    },
    "002-tokens": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_tokens")
          .addColumn("hash", text, (column) => column.primaryKey())
          .addColumn("kind", text, (column) => column.notNull())
          .addColumn("superuser_id", text, (column) => column.notNull())
          .addColumn("generation", integer, (column) => column.notNull())
          .addColumn("created", integer, (column) => column.notNull())
          .addColumn("expires", integer, (column) => column.notNull())
          .execute();
        for (const column of ["superuser_id", "expires"]) {
          await schema.createIndex(`annex_tokens_${column}`).on("annex_tokens").column(column).execute();
        }
      },
    },
    "003-login-attempts": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_login_attempts")
          .addColumn("key", text, (column) => column.primaryKey())
          .addColumn("count", integer, (column) => column.notNull())
          .addColumn("expires", integer, (column) => column.notNull())
          .execute();
        await schema
          .createIndex("annex_login_attempts_expires")
          .on("annex_login_attempts")
          .column("expires")
          .execute();
      },
    },
    "004-setup-links": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_setup_links")
          .addColumn("hash", text, (column) => column.primaryKey())
          .addColumn("expires", integer, (column) => column.notNull())
          .execute();
      },
    },
    "005-token-use": {
      async up({ schema }, { text, integer }) {
        const columns = { signed_in: integer, last_used: integer, address: text, agent: text };
        // SQLite adds one column per statement.
        for (const [name, type] of Object.entries(columns)) {
          await schema.alterTable("annex_tokens").addColumn(name, type).execute();
        }
      },
    },
    "006-known-clients": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_known_clients")
          .addColumn("hash", text, (column) => column.notNull())
          .addColumn("superuser_id", text, (column) => column.notNull())
          .addColumn("kind", text, (column) => column.notNull())
          .addColumn("generation", integer, (column) => column.notNull())
          .addColumn("expires", integer, (column) => column.notNull())
          .addPrimaryKeyConstraint("annex_known_clients_key", ["hash", "superuser_id"])
          .execute();
      },
    },
  },
};
