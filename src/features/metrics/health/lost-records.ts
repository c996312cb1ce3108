import type { DroppedData, HealthIssue } from "../../../feature/index.ts";

type Dropped = readonly DroppedData[];

const keptMs = 300_000;
/** Long enough that a loss between two health checks is seen, short enough that a recovery is. */
const ongoingMs = 10_000;

/** Notices that records are being dropped, and that some were in the last five minutes. */
export class LostRecords {
  private total = Number.POSITIVE_INFINITY;
  private lastAt = Number.NEGATIVE_INFINITY;
  private readonly samples: { readonly time: number; readonly counts: ReadonlyMap<string, number> }[] = [];

  /** Call it every second, with a clock that is never set. */
  watch(elapsed: number, dropped: Dropped): void {
    const total = dropped.reduce((sum, { loss, count }) => sum + (loss === undefined ? 0 : count()), 0);
    if (total > this.total) this.lastAt = elapsed;
    this.total = total;
  }

  /** Whether records were dropped in the last seconds. */
  isOngoing(elapsed: number): boolean {
    return elapsed - this.lastAt < ongoingMs;
  }

  /** Adds the counters, which only grow. Call it about once a minute. */
  add(time: number, dropped: Dropped): void {
    this.samples.push({ time, counts: new Map(dropped.map(({ name, count }) => [name, count()])) });
    while (this.samples.length > 1 && time - this.samples[0]!.time >= keptMs) this.samples.shift();
  }

  issues(dropped: Dropped): HealthIssue[] {
    const [oldest] = this.samples;
    if (!oldest) return [];
    return dropped.flatMap(({ name, loss, count }) => {
      const lost = count() - (oldest.counts.get(name) ?? 0);
      if (loss === undefined || lost <= 0) return [];
      return [
        {
          id: `lost ${name}`,
          status: "degraded",
          message: `${lost.toLocaleString("en")} ${loss} were lost in the last five minutes.`,
          link: { page: "config", params: { tab: "storage" } },
        },
      ];
    });
  }
}
