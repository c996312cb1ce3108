import { type DatabaseConnection, PostgresDialect, PostgresDriver, type TransactionSettings } from "kysely";
import type { GuardedPool } from "./guarded-pool.ts";

/** Kysely dialect whose transactions do not depend on the server's `default_transaction_isolation`. */
export class ReadCommittedDialect extends PostgresDialect {
  readonly #pool: GuardedPool;

  constructor(pool: GuardedPool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new ReadCommittedDriver({ pool: this.#pool });
  }
}

/**
 * A serializable transaction takes its snapshot before it waits for a lock, so it does not see what the previous owner
 * of the lock has written. Its commit can also fail.
 */
class ReadCommittedDriver extends PostgresDriver {
  override beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const isolationLevel = settings.isolationLevel ?? "read committed";
    return super.beginTransaction(connection, { ...settings, isolationLevel });
  }
}
