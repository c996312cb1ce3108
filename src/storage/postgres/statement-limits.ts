import type pg from "pg";
import { queryLimited } from "./limited-query.ts";

/**
 * The server-side limits of statements and idle transactions. A direct connection gets them as startup parameters, which
 * cost nothing. PgBouncer refuses these parameters or ignores them, so there each transaction begins with them: in the
 * same message, without another round trip. They end with the transaction, so they do not affect other clients that use
 * the server connection next.
 */
export interface StatementLimits {
  /** Gets a connection, after a refusal without the parameters. */
  connect(): Promise<pg.PoolClient>;
  query(client: pg.ClientBase, text: string, values: unknown[]): Promise<pg.QueryResult>;
  /** Compares the `statement_timeout` of a connection with the startup parameter, which a pooler may have ignored. */
  verify(actualMs: number): void;
}

/** The startup parameters of a connection. 0 disables the limits. */
export function limitParameters(statementTimeoutMs: number) {
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs && Math.max(statementTimeoutMs, 30_000),
  };
}

/** SQLSTATE of statements such as VACUUM, which cannot run with others in a transaction. They have not begun. */
const needsOwnTransaction = "25001";
const begins = /^\s*(begin|start\s+transaction)\b/i;

export function createStatementLimits(pool: pg.Pool): StatementLimits {
  const { connectionString, statement_timeout: statementMs } = pool.options;
  const parameters = Object.entries(limitParameters(Number(statementMs || 0)));
  let isSentWithTransactions = false;

  function sendWithTransactions(): void {
    isSentWithTransactions = true;
    // The pool creates each connection with these options.
    for (const [name] of parameters) Object.assign(pool.options, { [name]: undefined });
  }

  const afterBegin = parameters.map(([name, ms]) => `set local ${name} = ${ms}`).join("; ");
  // Unlike "set local", it causes no warning outside a transaction block.
  const beforeStatement = `select set_config('statement_timeout', '${statementMs}', true)`;

  async function queryAlone(client: pg.ClientBase, text: string, values: unknown[]) {
    if (values.length > 0) return queryLimited(client, beforeStatement, text, values);
    const [, ...results] = (await client.query(
      `${beforeStatement};\n${text}`,
    )) as unknown as pg.QueryResult[];
    return results.at(-1)!;
  }

  return {
    async connect() {
      try {
        return await pool.connect();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        sendWithTransactions();
        return await pool.connect();
      }
    },
    async query(client, text, values) {
      if (!isSentWithTransactions || client.getTransactionStatus() !== "I") return client.query(text, values);
      if (begins.test(text)) return client.query(`${text};\n${afterBegin}`);
      try {
        return await queryAlone(client, text, values);
      } catch (error) {
        if ((error as { code?: string }).code !== needsOwnTransaction) throw error;
        return client.query(text, values);
      }
    },
    verify(actualMs) {
      const isOwn = /[?&]statement_timeout=/.test(connectionString ?? "");
      if (statementMs && !isOwn && actualMs !== statementMs) sendWithTransactions();
    },
  };
}

/** The response of PgBouncer to a startup parameter that is not in its `ignore_startup_parameters`. */
function isRefusal(error: unknown): boolean {
  const { code, message } = error as Partial<pg.DatabaseError>;
  const names = Object.keys(limitParameters(0)).join("|");
  return code === "08P01" && new RegExp(`unsupported startup parameter.*: (${names})$`).test(message ?? "");
}
