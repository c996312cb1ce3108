import type { HealthIssue } from "../../../feature/index.ts";

/** Data that is missing afterwards, by the name of its counter. */
const kinds: Readonly<Record<string, string>> = {
  log_records: "log records",
  page_views: "page views",
  handed_over: "seconds of metrics",
};

type Counts = Readonly<Record<string, number>>;

const keptMs = 300_000;

/** Notices that records were dropped in the last five minutes. */
export class LostRecords {
  private readonly samples: { readonly time: number; readonly counts: Counts }[] = [];

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
