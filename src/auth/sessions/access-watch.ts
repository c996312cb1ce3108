import type { ServerResponse } from "node:http";
import type { AlarmClock } from "../../lib/time/clock.ts";

/**
 * Ends streams whose token or session is no longer valid. One query per second checks all open streams. When this
 * instance ends a session or token, it checks immediately.
 */
export interface AccessWatch {
  /** A signal that aborts when the token is no longer valid. It is watched until the response closes. */
  follow(tokenHash: string, response: Pick<ServerResponse, "once" | "destroy">): AbortSignal;
  /** Checks immediately. */
  check(): void;
}

const checkEveryMs = 1_000;
/** A stream ends if its token could not be checked for this long, because a revocation might have been missed. */
const unconfirmedMs = 10_000;
/** A client that does not read the end of its stream is disconnected after this time. */
const lingerMs = 500;

interface Followed {
  readonly controllers: Set<AbortController>;
  confirmedAt: number;
}

interface WatchParts {
  clock: AlarmClock;
  findValid(hashes: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createAccessWatch({ clock, findValid }: WatchParts): AccessWatch {
  const followed = new Map<string, Followed>();
  let isScheduled = false;
  let asking: Promise<void> | undefined;
  let isStale = false;

  function tick(): void {
    isScheduled = false;
    endUnconfirmed();
    if (followed.size === 0) return;
    check();
    schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    clock.after(checkEveryMs, tick);
  }

  function endUnconfirmed(): void {
    const limit = clock.elapsed() - unconfirmedMs;
    for (const [hash, { confirmedAt }] of followed) {
      if (confirmedAt > limit) continue;
      end(hash);
      // A pending query must not delay the next stream.
      asking = undefined;
    }
  }

  function check(): void {
    if (followed.size === 0) return;
    isStale = asking !== undefined;
    if (isStale) return;
    const query = ask()
      .catch(() => {})
      .then(() => {
        if (asking !== query) return;
        asking = undefined;
        if (isStale) check();
      });
    asking = query;
  }

  async function ask(): Promise<void> {
    const hashes = [...followed.keys()];
    const askedAt = clock.elapsed();
    const valid = await findValid(hashes);
    for (const hash of hashes) {
      const entry = followed.get(hash);
      if (!entry) continue;
      if (valid.has(hash)) entry.confirmedAt = Math.max(entry.confirmedAt, askedAt);
      else end(hash);
    }
  }

  function end(hash: string): void {
    const controllers = followed.get(hash)?.controllers ?? [];
    followed.delete(hash);
    for (const controller of controllers) controller.abort();
  }

  function add(hash: string, controller: AbortController): void {
    const entry = followed.get(hash) ?? { controllers: new Set(), confirmedAt: 0 };
    entry.controllers.add(controller);
    // The request that opens the stream has just been authenticated.
    entry.confirmedAt = clock.elapsed();
    followed.set(hash, entry);
    schedule();
  }

  function remove(hash: string, controller: AbortController): void {
    const entry = followed.get(hash);
    if (entry?.controllers.delete(controller) && entry.controllers.size === 0) followed.delete(hash);
  }

  return {
    follow(hash, response) {
      const controller = new AbortController();
      const { signal } = controller;
      add(hash, controller);
      let cancelCut = () => {};
      signal.addEventListener("abort", () => {
        cancelCut = clock.after(lingerMs, () => response.destroy());
      });
      response.once("close", () => {
        cancelCut();
        remove(hash, controller);
      });
      return signal;
    },
    check,
  };
}
