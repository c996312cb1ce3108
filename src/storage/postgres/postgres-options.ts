/** Options of the connection to PostgreSQL. Apart from the pool, so that the declarations of Annex do not need those of pg. */
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
