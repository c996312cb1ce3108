import type { SystemJob } from "../../lib/system-job.ts";
import type { Upkeep } from "./history/history.ts";

export function createRollupJob(maintain: () => Promise<Upkeep | undefined>): SystemJob {
  return {
    id: "__svcMetricsRollup__",
    name: "System Metrics Rollup",
    description: "Aggregates minutes into hours and days, and deletes expired and excess metrics.",
    schedule: "7 * * * *",
    async run(log) {
      let upkeep: Upkeep | undefined;
      while (upkeep === undefined) {
        log.signal.throwIfAborted();
        upkeep = await maintain();
      }
      const { compacted, expired, crowdedOut, errors } = upkeep;
      log.info(
        `Created ${compacted} hours and days; deleted ${expired} expired and ${crowdedOut} excess slots`,
      );
      log.complete(`Deleted ${errors} kinds of errors`);
    },
  };
}
