import { hourMs } from "../../../lib/time/units.ts";
import type { ExecutionLogger } from "../runs/runnable-job.ts";
import type { JobParts } from "./job.ts";
import type { Manager } from "./manager.ts";

export interface LogLimits {
  readonly logRetentionHours: number;
  readonly maxRuns: number;
}

/** System job that deletes expired runs from the log. One instance at a time runs it, as any job. */
export function createLogCleanup(manager: Manager, limits: () => LogLimits): JobParts {
  return {
    id: "__svcLogClean__",
    name: "System Log Cleanup",
    description: "Deletes job logs that have exceeded their retention.",
    schedule: "17 3 * * *",
    options: { catchUp: "once" },
    async run(log: ExecutionLogger) {
      const { logRetentionHours, maxRuns } = limits();
      const hours = Math.round(logRetentionHours * 10) / 10;
      log.start(`Deleting job logs older than ${hours} hours`);
      const retentionMs = Math.ceil(logRetentionHours * hourMs);
      const count = await manager.pruneRuns({ retentionMs, maxRuns, signal: log.signal });
      log.complete(`Deleted ${count} job ${count === 1 ? "log" : "logs"}`);
    },
  };
}
