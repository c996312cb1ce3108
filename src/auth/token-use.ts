import type { RequestEvent } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";

/** When and from where a token was last used. */
export interface TokenUse {
  readonly time: number;
  readonly address: string;
  readonly agent: string | undefined;
}

/** Collects uses of tokens and stores them once a minute, so that no request waits for the database. */
export interface TokenUses {
  record(tokenHash: string, e: RequestEvent<never>): void;
  /** Stores what has been collected. */
  flush(): Promise<void>;
}

/** An idle timeout of less than twice this could end a session that is in use. */
const writeEveryMs = 60_000;
/** Only valid tokens get here, so this many in a minute is already strange. */
const mostCollected = 10_000;

interface UseParts {
  clock: AlarmClock;
  write(uses: ReadonlyMap<string, TokenUse>): Promise<void>;
}

export function createTokenUses({ clock, write }: UseParts): TokenUses {
  let collected = new Map<string, TokenUse>();
  let cancel: (() => void) | undefined;

  async function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    const uses = collected;
    collected = new Map();
    if (uses.size > 0) await write(uses).catch(() => keep(uses));
  }

  /** Tries again with the next write; later uses take precedence. */
  function keep(uses: ReadonlyMap<string, TokenUse>): void {
    collected = new Map([...uses, ...collected]);
    schedule();
  }

  function schedule(): void {
    cancel ??= clock.after(writeEveryMs, () => void flush());
  }

  return {
    record(tokenHash, e) {
      if (isAutomatic(e) || (collected.size >= mostCollected && !collected.has(tokenHash))) return;
      collected.set(tokenHash, { time: clock.now(), address: e.ip, agent: e.header("user-agent") });
      schedule();
    },
    flush,
  };
}

/** An open dashboard marks the requests that it sends without its user, and reconnects its streams. Neither is a use. */
function isAutomatic(e: RequestEvent<never>): boolean {
  return e.header("x-annex-automatic") !== undefined || e.header("accept") === "text/event-stream";
}
