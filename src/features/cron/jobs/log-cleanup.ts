import type { ExecutionLogger } from "../runs/runnable-job.ts";
import type { JobParts } from "./job.ts";
import type { Manager } from "./manager.ts";

/** Small batches, so that other queries do not have to wait. */
const batchSize = 500;

/** System job that deletes expired runs from the log. */
export function createLogCleanup(manager: Manager, retentionHours: () => number): JobParts {
  return {
    id: "__svcLogClean__",
    name: "System Log Cleanup",
    description: "Deletes job logs that have exceeded their retention.",
    schedule: "17 3 * * *",
    options: { catchUp: "once" },
    async run(log: ExecutionLogger) {
      const retentionMs = Math.ceil(retentionHours() * 3_600_000);
      const hours = Math.round(retentionHours() * 10) / 10;
      log.start(`Deleting job logs older than ${hours} hours`);
      let count = 0;
      for (let deleted = batchSize; deleted === batchSize; count += deleted) {
        log.signal.throwIfAborted();
        deleted = await manager.purgeRuns(retentionMs, batchSize);
        await new Promise((resolve) => setImmediate(resolve));
      }
      log.complete(`Deleted ${count} job ${count === 1 ? "log" : "logs"}`);
    },
  };
}
