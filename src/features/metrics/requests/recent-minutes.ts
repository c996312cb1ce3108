import { RequestStats } from "./request-stats.ts";

/** Metrics of the last five minutes, per second, for the health status. */
export class RecentMinutes {
  private readonly seconds: RequestStats[] = [];

  add(second: RequestStats): void {
    this.seconds.push(second);
    if (this.seconds.length > keptSeconds) this.seconds.shift();
  }

  /** Sums the last `seconds` seconds. Also returns how many of them were recorded. */
  over(seconds: number): { stats: RequestStats; seconds: number } {
    const last = this.seconds.slice(-seconds);
    const stats = new RequestStats();
    for (const second of last) if (second.count > 0) stats.merge(second);
    return { stats, seconds: last.length };
  }
}

const keptSeconds = 300;
