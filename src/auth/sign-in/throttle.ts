import { networkOf } from "../../lib/network.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { TOO_MANY_ATTEMPTS } from "../errors.ts";
import { digest } from "../secrets.ts";
import type { OpenDatabase } from "../tables.ts";
import { AttemptCounts } from "./attempt-counts.ts";
import type { KnownAs } from "./known-clients.ts";
import { createRecentLockOuts } from "./recent-lockouts.ts";

/**
 * Limits password guessing. Each attempt is counted before its password is checked. One statement counts it and checks
 * the limit, so the limits are exact for concurrent attempts on any number of instances. Attempts for unknown accounts
 * are counted too. A rejected attempt writes nothing.
 *
 * Counters that others can fill do not apply to a client that has signed in before: a known network is exempt from the
 * account's counter, and a known device has its own counter.
 */
export interface Throttle {
  /** Counts an attempt, or throws if there were too many. */
  begin(account: string, address: string, knownAs?: KnownAs): Promise<Attempt>;
  /** Throws, without a query, if a client without a device cookie was just rejected. */
  refuseAgain(account: string, address: string): void;
}

export interface Attempt {
  /** The password was correct: the attempt is not counted, and earlier failures of this client are reset. */
  succeed(): Promise<void>;
  /** The password could not be compared: the attempt is not counted. */
  withdraw(): Promise<void>;
}

/** Maximum number of failures in a window. */
const limits = { device: 5, address: 20, pair: 5, account: 50 } as const;

type Scope = keyof typeof limits;

interface Counter {
  readonly scope: Scope;
  readonly key: string;
}

/** The limit that caused a rejection. It is the cause of the error and is not sent to the client. */
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
  const counts = new AttemptCounts(database, clock);
  const recent = createRecentLockOuts(clock);

  /** Increments all counters or none. Returns the counter that is full. */
  async function countAll(counters: readonly Counter[]): Promise<Counter | undefined> {
    for (const [index, counter] of counters.entries()) {
      if (await counts.increment(counter.key, limits[counter.scope])) continue;
      await uncount(keysOf(counters.slice(0, index)));
      return counter;
    }
    return undefined;
  }

  /** Throws if one of the counters is full, without writing. */
  async function refuseFull(counters: readonly Counter[]): Promise<void> {
    const rows = await counts.find(keysOf(counters));
    for (const { scope, key } of counters) {
      const row = rows.get(key);
      if (row && row.count >= limits[scope]) throw refuse({ scope, key }, row.expires);
    }
  }

  function refuse({ scope, key }: Counter, expires: number): Error {
    recent.add(key, expires);
    return tooMany(scope, expires - clock.now());
  }

  function refuseRecent(counters: readonly Counter[]): void {
    for (const { scope, key } of counters) {
      const expires = recent.find(key);
      if (expires !== undefined) throw tooMany(scope, expires - clock.now());
    }
  }

  async function forget(keys: readonly string[]): Promise<void> {
    await counts.remove(keys);
    recent.remove(keys);
  }

  async function uncount(keys: readonly string[]): Promise<void> {
    await counts.decrement(keys);
    recent.remove(keys);
  }

  return {
    async begin(account, address, knownAs) {
      const counters = countersOf(account, networkOf(address), knownAs);
      refuseRecent(counters);
      await refuseFull(counters);
      await counts.purge();
      const full = await countAll(counters);
      if (full) {
        await refuseFull(counters);
        throw tooMany(full.scope, 0);
      }
      const keysIn = (...scopes: Scope[]) => keysOf(counters.filter(({ scope }) => scopes.includes(scope)));
      return {
        withdraw: () => uncount(keysOf(counters)),
        async succeed() {
          await uncount(keysIn("address", "account"));
          await forget(keysIn("pair", "device"));
        },
      };
    },

    refuseAgain(account, address) {
      refuseRecent(countersOf(account, networkOf(address), { kind: "network" }));
    },
  };
}

function keysOf(counters: readonly Counter[]): string[] {
  return counters.map(({ key }) => key);
}

// The address is counted first: an address that has used up its attempts cannot add rows for invented accounts or lock
// other clients out of an account. The keys are digests, so that backups contain neither emails nor addresses.
function countersOf(account: string, network: string, knownAs?: KnownAs): Counter[] {
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
