import type { SystemJob, SystemJobLog } from "../lib/system-job.ts";
import type { TidyStep } from "./messages.ts";

/** The system job that turns the visitors of a day that is over into numbers, and forgets the visitors. */
export function createClosingJob(tidy: () => Promise<TidyStep>): SystemJob {
  return {
    id: "__svcVisitors__",
    name: "System Visitor Statistics",
    description: "Turns the visitors of each day that is over into numbers, and deletes the rest.",
    // Every hour, because a day is over at midnight UTC, whatever the scheduler's timezone.
    schedule: "12 * * * *",
    async run(log: SystemJobLog) {
      let rows = 0;
      for (;;) {
        log.signal.throwIfAborted();
        const step = await tidy();
        if (step.did === "nothing") break;
        if (step.did === "closed") log.info(`Closed ${step.day}`);
        else rows += step.rows;
      }
      log.complete(`Deleted ${rows} ${rows === 1 ? "row" : "rows"}`);
    },
  };
}
