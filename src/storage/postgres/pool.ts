import pg from "pg";

export interface PostgresOptions {
  /** Connections at most. PostgreSQL only. Default 10. */
  poolSize?: number | undefined;
  /** How long to wait for a connection. PostgreSQL only. Default 10 000. */
  connectTimeoutMs?: number | undefined;
  /**
   * How long a statement may take, and a transaction may idle, before the server ends it; 0 for no limit, which
   * PgBouncer needs. PostgreSQL only. Default 30 000.
   */
  statementTimeoutMs?: number | undefined;
  /**
   * How long to wait for the response to a query before the server counts as unavailable. Must be longer than
   * `statementTimeoutMs`, so that a slow query does not count as a silent server. PostgreSQL only. Default: no limit.
   */
  responseTimeoutMs?: number | undefined;
}

const { INT8, NUMERIC } = pg.types.builtins;

/** Numbers where pg gives strings: 64-bit columns and counts are INT8, and a sum of them is NUMERIC. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
};

export function createPool(url: string, options: PostgresOptions): pg.Pool {
  const {
    poolSize = 10,
    connectTimeoutMs = 10_000,
    statementTimeoutMs = 30_000,
    responseTimeoutMs,
  } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "annex",
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs && Math.max(statementTimeoutMs, 30_000),
    keepAlive: true,
    ...(responseTimeoutMs !== undefined && { query_timeout: responseTimeoutMs }),
    types,
  });
  surviveLostConnections(pool);
  return pool;
}

/**
 * A connection that breaks while no query waits on it tells so by an "error" event, which would end the process if
 * nobody listened: in the pool, and in a transaction between two queries. The pool replaces such a connection, and a
 * transaction on it fails at its next query.
 */
function surviveLostConnections(pool: pg.Pool): void {
  const ignore = () => {};
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
}
