import { type Database, readMigrations, type Store } from "../storage/index.ts";

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

export const authMigrations = readMigrations("auth", new URL("./migrations/", import.meta.url));

export const authStore: Store = {
  name: "accounts",
  contents: ["accounts"],
  tables: [
    "annex_superusers",
    "annex_tokens",
    "annex_setup_links",
    "annex_login_attempts",
    "annex_known_clients",
  ],
  migrations: authMigrations,
};
