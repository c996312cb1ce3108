import type { HealthIssue } from "../../../feature/index.ts";

/** Data that is missing afterwards, by the name of its counter. */
const kinds: Readonly<Record<string, string>> = {
  log_records: "log records",
  page_views: "page views",
  handed_over: "seconds of metrics",
};

type Counts = Readonly<Record<string, number>>;

const keptMs = 300_000;
/** Long enough that a loss between two health checks is seen, short enough that a recovery is. */
const ongoingMs = 10_000;

/** Notices that records are being dropped, and that some were in the last five minutes. */
export class LostRecords {
  private total = Number.POSITIVE_INFINITY;
  private lastAt = Number.NEGATIVE_INFINITY;
  private readonly samples: { readonly time: number; readonly counts: Counts }[] = [];

  /** Call it every second, with a clock that is never set. */
  watch(elapsed: number, counts: Counts): void {
    const total = Object.keys(kinds).reduce((sum, name) => sum + (counts[name] ?? 0), 0);
    if (total > this.total) this.lastAt = elapsed;
    this.total = total;
  }

  /** Whether records were dropped in the last seconds. */
  isOngoing(elapsed: number): boolean {
    return elapsed - this.lastAt < ongoingMs;
  }

  /** Adds the counters, which only grow. Call it about once a minute. */
  add(time: number, counts: Counts): void {
    this.samples.push({ time, counts: { ...counts } });
    while (this.samples.length > 1 && time - this.samples[0]!.time >= keptMs) this.samples.shift();
  }

  /** `counts`: the counters now. */
  issues(counts: Counts): HealthIssue[] {
    const [oldest] = this.samples;
    if (!oldest) return [];
    return Object.entries(kinds).flatMap(([name, words]) => {
      const lost = (counts[name] ?? 0) - (oldest.counts[name] ?? 0);
      if (lost <= 0) return [];
      return [
        {
          id: `lost ${name}`,
          status: "degraded",
          message: `${lost.toLocaleString("en")} ${words} were lost in the last five minutes.`,
          link: { page: "config", params: { tab: "storage" } },
        },
      ];
    });
  }
}
