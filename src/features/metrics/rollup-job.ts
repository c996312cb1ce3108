import type { SystemJob } from "../../lib/system-job.ts";
import type { Upkeep } from "./history/history.ts";

export function createRollupJob(maintain: () => Promise<Upkeep>): SystemJob {
  return {
    id: "__svcMetricsRollup__",
    name: "System Metrics Rollup",
    description: "Aggregates minutes into hours and days, and deletes expired and excess metrics.",
    schedule: "7 * * * *",
    async run(log) {
      const { compacted, expired, crowdedOut, errors } = await maintain();
      log.info(
        `Created ${compacted} hours and days; deleted ${expired} expired and ${crowdedOut} excess slots`,
      );
      log.complete(`Deleted ${errors} kinds of errors`);
    },
  };
}
