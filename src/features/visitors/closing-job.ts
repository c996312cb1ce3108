import type { SystemJob, SystemJobLog } from "../../lib/system-job.ts";
import { inTurns } from "../../lib/time/turns.ts";
import type { TidyStep } from "./messages.ts";

/** System job that aggregates the visitors of past days and deletes the individual records. */
export function createClosingJob(tidy: () => Promise<TidyStep>): SystemJob {
  return {
    id: "__svcVisitors__",
    name: "System Visitor Statistics",
    description: "Aggregates the visitors of past days and deletes the individual records.",
    // Hourly, because days end at midnight UTC, regardless of the scheduler's time zone.
    schedule: "12 * * * *",
    async run(log: SystemJobLog) {
      let rows = 0;
      const tidySome = async () => {
        const step = await tidy();
        if (step.did === "closed") log.info(`Closed ${step.day}`);
        if (step.did === "deleted") rows += step.rows;
        return step.did !== "nothing";
      };
      await inTurns(tidySome, { signal: log.signal, sharesCore: true });
      log.complete(`Deleted ${rows} ${rows === 1 ? "row" : "rows"}`);
    },
  };
}
