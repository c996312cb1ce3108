import type { HealthCondition } from "../../../feature/index.ts";
import { defaultsOf } from "../../../lib/options/option-set.ts";
import { thresholds } from "../health/system-rules.ts";
import { failingShare } from "../health/traffic/traffic-issues.ts";
import { healthOptions } from "../options.ts";

const { errorPercent, routeErrorPercent, p95Ms } = defaultsOf(healthOptions);
const { loopDelayMs, diskFreeRatio, daysToFull, memoryRatio } = thresholds;
const percent = (share: number) => `${share * 100}%`;
const unusual = "[unusual](#unusual-traffic)";
const memory = {
  degraded: `${percent(memoryRatio.degraded)} or more`,
  failing: `${percent(memoryRatio.failing)} or more`,
};

/** When the metrics report an issue. */
export const metricConditions: readonly HealthCondition[] = [
  {
    id: "errors",
    condition: "Share of 5xx responses among all requests",
    degraded: `more than \`health.errorPercent\` (${errorPercent}%), or ${unusual}`,
    failing: `${percent(failingShare)} or more`,
  },
  {
    id: "errors *",
    condition: "Share of 5xx responses of a route",
    degraded: `more than \`health.routeErrorPercent\` (${routeErrorPercent}%), or unusual`,
  },
  {
    id: "latency*",
    condition: "p95 of all requests or of a route",
    degraded: `more than \`health.p95Ms\` (${p95Ms / 1_000} s), or unusual`,
  },
  {
    id: "long requests",
    condition: "[Long-running requests](#long-running-requests) that have been received completely",
    degraded: "1 or more",
  },
  {
    id: "event loop",
    condition:
      "Event loop delay: the p99 of each second, averaged over the last minute. The reason names what [blocked](#stalls) it most",
    degraded: `${loopDelayMs.degraded} ms or more`,
    failing: `${loopDelayMs.failing / 1_000} s or more`,
  },
  {
    id: "disk",
    condition: "Free space on the disk of the data folder",
    degraded: `less than ${percent(diskFreeRatio.degraded)}`,
    failing: `less than ${percent(diskFreeRatio.failing)}`,
  },
  {
    id: "disk growth",
    condition: "[Forecast](#disk-forecast): time until the disk of the data folder is full",
    degraded: `less than ${daysToFull === 1 ? "a day" : `${daysToFull} days`}`,
  },
  {
    id: "container memory",
    condition: "Memory of the container, as a share of its limit, averaged over the last minute",
    ...memory,
  },
  { id: "heap", condition: "Heap, as a share of its limit, averaged over the last minute", ...memory },
  { id: "lost handed_over", condition: "Metrics were lost in the last five minutes", degraded: "yes" },
];
