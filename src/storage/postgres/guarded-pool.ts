import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { createFaultError, type DatabaseFault } from "../faults.ts";
import { isSingleStatement, retryConflicts } from "./conflicts.ts";
import { adviseOn, describeFailure } from "./failures.ts";
import { connectAfterBlock, limitResponse } from "./response-limit.ts";
import type { StatementLimits } from "./statement-limits.ts";

/** A pool that reports faults with Annex error codes and fails fast while the server does not respond. */
export interface GuardedPool extends PostgresPool {
  /** The current fault. */
  readonly problem: DatabaseFault | undefined;
}

export interface GuardedPoolOptions {
  readonly pool: pg.Pool;
  readonly limits: StatementLimits;
  /** Time to wait for the response to a query. */
  readonly responseTimeoutMs?: number | undefined;
  /** The server's host, port and database. */
  readonly place: string;
  readonly clock: AlarmClock;
}

/** Delay before an unresponsive server is queried again. */
const askAgainMs = 1_000;
/** Time for the server to close connections before they are destroyed. */
const closeWithinMs = 1_000;

/** Reads still work on a full or read-only server, so only a write shows that the fault is resolved. */
const writes = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/**
 * After a query without a response, all others fail immediately until the server responds to `select 1`. So a request
 * with several queries waits only once, and so does a shutdown.
 */
export function guardPool(options: GuardedPoolOptions): GuardedPool {
  const { pool, limits, responseTimeoutMs, place, clock } = options;
  const sockets = followSockets(pool);
  const connect = () => connectAfterBlock(pool.options.connectionTimeoutMillis, () => limits.connect());
  let problem: DatabaseFault | undefined;
  let silence: Error | undefined;
  let isClosed = false;

  function explain(error: unknown): unknown {
    const failure = describeFailure(error);
    if (!failure) return error;
    const fault = { reason: failure.reason, place };
    if (failure.isLasting) problem = fault;
    const coded = createFaultError(fault, adviseOn(error));
    if (failure.isSilence && !silence) {
      silence = coded;
      // A network that dropped one connection has often dropped the others. A new one shows whether the server responds.
      sockets.cutIdle();
      void askAgain();
    }
    return coded;
  }

  async function askAgain(): Promise<void> {
    try {
      const client = await connect();
      await limitResponse(client, responseTimeoutMs, () => client.query("select 1")).then(
        () => client.release(),
        (error) => {
          client.release(error);
          sockets.cut(client);
          throw error;
        },
      );
      silence = undefined;
      problem = undefined;
    } catch {
      if (!isClosed) clock.after(askAgainMs, () => void askAgain());
    }
  }

  function guardClient(client: pg.PoolClient): PostgresPoolClient {
    let dead: unknown;
    const query = async (text: string, parameters: unknown[]) => {
      // A query without a response blocks the connection, so nothing can be sent after it, not even a rollback.
      if (dead !== undefined) throw dead;
      try {
        const isSingle = isSingleStatement(client, text, parameters);
        const send = () => limits.query(client, text, parameters);
        const result = await retryConflicts(isSingle, () => limitResponse(client, responseTimeoutMs, send));
        if (problem?.reason === "unavailable" || writes.has(result.command)) problem = undefined;
        return result;
      } catch (error) {
        const explained = explain(error);
        if (describeFailure(error)?.isSilence) dead = explained;
        throw explained;
      }
    };
    const release = (isBroken?: boolean) => {
      client.release(dead !== undefined || isBroken);
      if (dead !== undefined) sockets.cut(client);
    };
    return { query: query as unknown as PostgresPoolClient["query"], release };
  }

  return {
    options: pool.options,
    get problem() {
      return problem;
    },
    async connect() {
      if (silence) throw createFaultError({ reason: "unavailable", place }, silence.cause);
      try {
        return guardClient(await connect());
      } catch (error) {
        throw explain(error);
      }
    },
    async end() {
      isClosed = true;
      const { promise: isLate, resolve } = Promise.withResolvers<void>();
      const callOff = clock.after(silence ? 0 : closeWithinMs, resolve);
      await Promise.race([pool.end(), isLate]);
      callOff();
      sockets.cutAll();
    },
  };
}

interface Sockets {
  cut(client: pg.PoolClient): void;
  cutIdle(): void;
  cutAll(): void;
}

/** Tracks the open connections of the pool. pg waits for the server when it closes one and cannot destroy it. */
function followSockets(pool: pg.Pool): Sockets {
  const open = new Set<pg.PoolClient>();
  const idle = new Set<pg.PoolClient>();
  pool.on("connect", (client) => void open.add(client));
  pool.on("acquire", (client) => void idle.delete(client));
  pool.on("release", (_error, client) => void idle.add(client));
  pool.on("remove", (client) => {
    open.delete(client);
    idle.delete(client);
  });
  const cut = (client: pg.PoolClient) => {
    open.delete(client);
    idle.delete(client);
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  return {
    cut,
    cutIdle() {
      for (const client of [...idle]) {
        // The pool removes an unused connection that reports an error. Otherwise, it would still offer it.
        client.emit("error", new Error("Connection terminated"));
        cut(client);
      }
    },
    cutAll() {
      for (const client of [...open]) cut(client);
    },
  };
}
