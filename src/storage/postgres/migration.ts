import { type Kysely, sql, type Transaction } from "kysely";
import type { AlarmClock } from "../../lib/time/clock.ts";
import type { UntypedTables } from "../engine.ts";
import { createFaultError } from "../faults.ts";

export interface MigrationOptions<R> {
  /** A connection without timeouts: building an index may take hours. */
  readonly connection: Kysely<UntypedTables>;
  /** Other connections, which show whether the migration is still running. */
  readonly observer: Kysely<UntypedTables>;
  readonly place: string;
  readonly clock: AlarmClock;
  work(trx: Transaction<UntypedTables>): Promise<R>;
}

/** A lock number that other programs are unlikely to use: "annex" in ASCII. */
const migrationLock = 0x61_6e_6e_65_78;
/** Limit for the pause between two statements. After it, the server ends the transaction of a lost connection. */
const idleMs = 30_000;
const watchMs = 2_000;

/**
 * Runs `work` in a transaction while no other instance migrates. The lock belongs to the transaction, so it is released
 * automatically and works with PgBouncer.
 */
export async function runMigration<R>(options: MigrationOptions<R>): Promise<R> {
  const lost = Promise.withResolvers<never>();
  let stopWatching = () => {};
  const migration = options.connection.transaction().execute(async (trx) => {
    stopWatching = watch(await enter(trx), options, lost.reject);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
    return options.work(trx);
  });
  try {
    return await Promise.race([migration, lost.promise]);
  } finally {
    stopWatching();
  }
}

/** Waiting for another instance or building an index may exceed a limit of the role or the database. */
async function enter(trx: Transaction<UntypedTables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid, set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', ${`${idleMs}`}, true)`.execute(trx);
  return rows[0]!.pid;
}

/**
 * Without timeouts, a connection that the network has dropped silently would never fail. Its transaction is missing on
 * the server then. Two checks are needed, because the response to a commit can arrive after the first one.
 */
function watch(
  pid: number,
  { observer, place, clock }: MigrationOptions<unknown>,
  onLost: (error: Error) => void,
): () => void {
  let missing = 0;
  let isStopped = false;
  const check = async () => {
    const isRunning = await hasTransaction(observer, pid);
    missing = isRunning === false ? missing + 1 : 0;
    if (missing < 2) return schedule();
    const cause = new Error("Connection terminated during a migration");
    onLost(createFaultError({ reason: "unavailable", place }, cause));
  };
  let cancel = () => {};
  const schedule = () => {
    if (!isStopped) cancel = clock.after(watchMs, () => void check());
  };
  schedule();
  return () => {
    isStopped = true;
    cancel();
  };
}

/** `undefined` if the server does not respond. */
async function hasTransaction(observer: Kysely<UntypedTables>, pid: number): Promise<boolean | undefined> {
  const running = sql`select 1 from pg_stat_activity where pid = ${pid} and xact_start is not null`;
  try {
    return (await running.execute(observer)).rows.length > 0;
  } catch {
    return undefined;
  }
}
