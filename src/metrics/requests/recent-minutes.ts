import { RequestStats } from "./request-stats.ts";

/** What happened in the last five minutes, second by second, so that one can tell how things stand. */
export class RecentMinutes {
  private readonly seconds: RequestStats[] = [];

  add(second: RequestStats): void {
    this.seconds.push(second);
    if (this.seconds.length > keptSeconds) this.seconds.shift();
  }

  /** What the last so many seconds came to, and how many of them have been seen. */
  over(seconds: number): { stats: RequestStats; seconds: number } {
    const last = this.seconds.slice(-seconds);
    const stats = new RequestStats();
    for (const second of last) if (second.count > 0) stats.merge(second);
    return { stats, seconds: last.length };
  }
}

const keptSeconds = 300;
