import type { Clock } from "../lib/clock.ts";
import { TOO_MANY_ATTEMPTS } from "./errors.ts";
import type { KnownAs } from "./known-clients.ts";
import { networkOf } from "./network.ts";
import { digest } from "./secrets.ts";
import type { AuthTables, OpenDatabase } from "./tables.ts";

/**
 * Slows down guessing. Each attempt is counted before its password is looked at, in one statement of the database, so
 * that a hundred guesses at the same moment, on any number of instances, are a hundred counts and not one. An account
 * that does not exist is counted like any other.
 *
 * A client that has signed in before is not subject to the counters that others can fill: a known network is exempt from
 * the account's counter, and a known device has one counter of its own.
 */
export interface Throttle {
  /** Counts an attempt, or throws when there have been too many. */
  begin(account: string, address: string, knownAs?: KnownAs): Promise<Attempt>;
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
const limits = { device: 5, address: 20, pair: 5, account: 50 } as const;

type Scope = keyof typeof limits;

/** The cause of the error when an attempt is refused: which limit it was. Not sent to the client. */
export class LockOut extends Error {
  override readonly name = "LockOut";

  constructor(scope: Scope) {
    super(`more than ${limits[scope]} failed sign-ins ${scopeNames[scope]}`);
  }
}

const scopeNames: Record<Scope, string> = {
  device: "from this device",
  address: "from this address",
  pair: "for this account from this address",
  account: "for this account",
};

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

  async function forget(keys: readonly string[]): Promise<void> {
    await (await tables()).deleteFrom("annex_login_attempts").where("key", "in", keys).execute();
  }

  async function uncount(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const counted = (await tables()).updateTable("annex_login_attempts").where("key", "in", keys);
    await counted
      .set((eb) => ({ count: eb("count", "-", 1) }))
      .where("count", ">", 0)
      .execute();
  }

  return {
    async begin(account, address, knownAs) {
      await purge();
      const keys = keysOf(account, networkOf(address), knownAs);
      for (const { scope, key } of keys) {
        const counted = await count(key);
        if (counted.count > limits[scope]) throw tooMany(scope, counted.expires - clock.now());
      }
      const keysIn = (...scopes: Scope[]) =>
        keys.filter(({ scope }) => scopes.includes(scope)).map(({ key }) => key);
      return {
        withdraw: () => uncount(keys.map(({ key }) => key)),
        async succeed() {
          await uncount(keysIn("address", "account"));
          await forget(keysIn("pair", "device"));
        },
      };
    },
  };
}

// The address comes first: one that has used up its attempts adds no rows by inventing accounts, and does not lock
// other clients out of an account. Digests, so that backups contain neither emails nor addresses.
function keysOf(account: string, network: string, knownAs?: KnownAs): { scope: Scope; key: string }[] {
  const keyed = (scope: Scope, ...parts: string[]) => ({ scope, key: digest([scope, ...parts].join(" ")) });
  if (knownAs?.kind === "device") return [keyed("device", knownAs.hash, account)];
  const own = [keyed("address", network), keyed("pair", network, account)];
  return knownAs?.kind === "network" ? own : [...own, keyed("account", account)];
}

function tooMany(scope: Scope, waitMs: number): Error {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const options = { headers: { "Retry-After": String(seconds) }, cause: new LockOut(scope) };
  return TOO_MANY_ATTEMPTS.with(options, minutes === 1 ? "a minute" : `${minutes} minutes`);
}
