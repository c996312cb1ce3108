import type { Clock } from "../lib/clock.ts";
import { TOO_MANY_ATTEMPTS } from "./errors.ts";
import { networkOf } from "./network.ts";
import { digest } from "./secrets.ts";
import type { AuthTables, OpenDatabase } from "./tables.ts";

/**
 * Slows down guessing. Each attempt is counted before its password is looked at, in one statement of the database, so
 * that a hundred guesses at the same moment, on any number of instances, are a hundred counts and not one. An account
 * that does not exist is counted like any other.
 */
export interface Throttle {
  /** Counts an attempt, or throws when there have been too many. */
  begin(account: string, address: string): Promise<Attempt>;
}

export interface Attempt {
  /** The password was right: this was no failure, and those before it from here are forgiven. */
  succeed(): Promise<void>;
  /** The password could not be compared. */
  withdraw(): Promise<void>;
}

const windowMs = 15 * 60_000;
const purgedAtOnce = 100;

/** How many failures each may have in a window. */
const limits = { address: 20, pair: 5, account: 50 } as const;

export function createThrottle({ database, clock }: { database: OpenDatabase; clock: Clock }): Throttle {
  const tables = async () => (await database()).tables<AuthTables>();

  async function count(key: string): Promise<{ count: number; expires: number }> {
    const now = clock.now();
    const fresh = { count: 1, expires: now + windowMs };
    const query = (await tables()).insertInto("annex_login_attempts").values({ key, ...fresh });
    return await query
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet(({ eb, ref }) => {
          const count = ref("annex_login_attempts.count");
          const expires = ref("annex_login_attempts.expires");
          const isOver = eb(expires, "<=", now);
          return {
            count: eb
              .case()
              .when(isOver)
              .then(fresh.count)
              .else(eb(count, "+", 1))
              .end(),
            expires: eb.case().when(isOver).then(fresh.expires).else(expires).end(),
          };
        }),
      )
      .returning(["count", "expires"])
      .executeTakeFirstOrThrow();
  }

  /** Tidying can wait: if two instances get into each other's way, the next attempt does it. */
  async function purge(): Promise<void> {
    const db = await tables();
    const over = db.selectFrom("annex_login_attempts").select("key").where("expires", "<=", clock.now());
    const some = db.deleteFrom("annex_login_attempts").where("key", "in", over.limit(purgedAtOnce));
    await some.execute().catch(() => {});
  }

  async function uncount(keys: readonly string[]): Promise<void> {
    const counted = (await tables()).updateTable("annex_login_attempts").where("key", "in", keys);
    await counted
      .set((eb) => ({ count: eb("count", "-", 1) }))
      .where("count", ">", 0)
      .execute();
  }

  return {
    async begin(account, address) {
      await purge();
      const keys = keysOf(account, networkOf(address));
      for (const [scope, key] of Object.entries(keys) as [keyof typeof limits, string][]) {
        const counted = await count(key);
        if (counted.count > limits[scope]) throw tooMany(counted.expires - clock.now());
      }
      return {
        withdraw: () => uncount(Object.values(keys)),
        async succeed() {
          await uncount([keys.address, keys.account]);
          await (await tables()).deleteFrom("annex_login_attempts").where("key", "=", keys.pair).execute();
        },
      };
    },
  };
}

// The address comes first: one that has used up its attempts adds no rows by inventing accounts, and does not lock
// anybody else out of an account. Digests, because neither belongs into a backup.
function keysOf(account: string, network: string): Record<keyof typeof limits, string> {
  return {
    address: digest(`address ${network}`),
    pair: digest(`pair ${network} ${account}`),
    account: digest(`account ${account}`),
  };
}

function tooMany(waitMs: number): Error {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const headers = { "Retry-After": String(seconds) };
  return TOO_MANY_ATTEMPTS.with({ headers }, minutes === 1 ? "a minute" : `${minutes} minutes`);
}
