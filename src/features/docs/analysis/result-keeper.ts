import type { CacheContent } from "./cache.ts";

export interface ResultKeeperOptions {
  readonly write: (content: CacheContent) => void;
  /** Calls `retry` after a delay. */
  readonly retryLater: (delayMs: number) => void;
}

/** `undefined` while a file that the result depends on is being written. */
type ReadContent = () => CacheContent | undefined;

const firstDelayMs = 80;
const maxAttempts = 8;

/**
 * Stores the most recent result in the cache. A file being saved at that moment may be empty or incomplete, and have
 * the same content again a moment later. That is not detected as a change, so storing the result is retried.
 */
export class ResultKeeper {
  private readonly options: ResultKeeperOptions;
  private pending: ReadContent | undefined;
  private attempts = 0;

  constructor(options: ResultKeeperOptions) {
    this.options = options;
  }

  keep(read: ReadContent): void {
    this.pending = read;
    this.attempts = 0;
    this.retry();
  }

  /** Discards an outdated result. */
  drop(): void {
    this.pending = undefined;
  }

  retry(): void {
    if (!this.pending) return;
    const content = this.pending();
    if (content) {
      this.pending = undefined;
      this.options.write(content);
    } else if (this.attempts++ < maxAttempts) {
      this.options.retryLater(firstDelayMs * 2 ** (this.attempts - 1));
    }
  }
}
