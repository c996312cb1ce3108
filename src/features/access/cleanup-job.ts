import type { SystemJob, SystemJobLog } from "../../lib/system-job.ts";

/** The system job that deletes access events beyond the age and count limits. */
export function createCleanupJob(prune: (signal: AbortSignal) => Promise<number>): SystemJob {
  return {
    id: "__svcAccessClean__",
    name: "System Access Log Cleanup",
    description:
      "Deletes access events that are older than access.retentionDays or exceed the maximum number.",
    schedule: "22 * * * *",
    async run(log: SystemJobLog) {
      const count = await prune(log.signal);
      log.complete(`Deleted ${count} ${count === 1 ? "row" : "rows"}`);
    },
  };
}
