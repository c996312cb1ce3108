import pg from "pg";
import { limitParameters } from "./statement-limits.ts";

export interface PostgresOptions {
  /** Maximum number of connections. PostgreSQL only. Default 10. */
  poolSize?: number | undefined;
  /** Timeout for getting a connection, in milliseconds. PostgreSQL only. Default 10 000. */
  connectTimeoutMs?: number | undefined;
  /** Time after which the pool closes an unused connection, in milliseconds. PostgreSQL only. Default 10 000. */
  idleTimeoutMs?: number | undefined;
  /**
   * Server-side limit for the duration of a statement and for an idle transaction, in milliseconds. Use 0 for no limit.
   * PostgreSQL only. Default 30 000.
   */
  statementTimeoutMs?: number | undefined;
  /**
   * Time to wait for a query response before the server counts as unavailable, in milliseconds. Must be longer than
   * `statementTimeoutMs`, so that a slow query does not count as an unresponsive server. PostgreSQL only. Default: no
   * limit.
   */
  responseTimeoutMs?: number | undefined;
}

const { INT8, NUMERIC } = pg.types.builtins;

/** Parses 64-bit columns and counts (INT8) and their sums (NUMERIC) as numbers; pg returns strings. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
};

/** With Node's interval of a second and ten probes, a connection to a vanished host ends after 20 seconds. */
const keepAliveMs = 10_000;

export function createPool(url: string, options: PostgresOptions): pg.Pool {
  const {
    poolSize = 10,
    connectTimeoutMs = 10_000,
    idleTimeoutMs = 10_000,
    statementTimeoutMs = 30_000,
  } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "annex",
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    ...limitParameters(statementTimeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types,
  });
  surviveLostConnections(pool);
  return pool;
}

/**
 * Handles "error" events of connections that break while no query is active, in the pool or within a transaction.
 * Without a listener, they would end the process. The pool replaces such a connection, and a transaction on it fails at
 * its next query.
 */
function surviveLostConnections(pool: pg.Pool): void {
  const ignore = () => {};
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
}
