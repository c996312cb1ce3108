import type { RequestEvent } from "../../http/index.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";

/** The time and origin of the last use of a token. */
export interface TokenUse {
  readonly time: number;
  readonly address: string;
  readonly agent: string | undefined;
}

/** Collects token uses and stores them once per minute, so that no request waits for the database. */
export interface TokenUses {
  record(tokenHash: string, e: RequestEvent<never>): void;
  /** Stores the collected uses. */
  flush(): Promise<void>;
}

/** An idle timeout of less than twice this could end a session that is in use. */
const writeEveryMs = 60_000;
/** Only valid tokens are recorded, so this many per minute is already unusual. */
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

  /** Retries with the next write. Later uses take precedence. */
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

/** The dashboard marks its automatic requests and reconnects its streams. These do not count as a use. */
function isAutomatic(e: RequestEvent<never>): boolean {
  return e.header("x-annex-automatic") !== undefined || e.header("accept") === "text/event-stream";
}
