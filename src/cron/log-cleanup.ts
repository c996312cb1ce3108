import type { ExecutionLogger, JobParts } from "./job.ts";
import type { Manager } from "./manager.ts";

/** Few enough that nobody waits for the database meanwhile. */
const batchSize = 500;

/** The system job that deletes runs from the log when they are old. */
export function createLogCleanup(manager: Manager, retention: () => number): JobParts {
  return {
    id: "__svcLogClean__",
    name: "System Log Cleanup",
    description: "Deletes job logs that are older than they are to be kept.",
    schedule: "17 3 * * *",
    options: { catchUp: "once" },
    async run(log: ExecutionLogger) {
      const retentionMs = retention();
      const hours = Math.round(retentionMs / 360_000) / 10;
      log.start(`Looking for job logs that are older than ${hours} hours`);
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
