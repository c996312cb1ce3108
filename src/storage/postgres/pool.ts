import pg from "pg";
import type { PostgresOptions } from "./postgres-options.ts";
import { limitParameters } from "./statement-limits.ts";

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
