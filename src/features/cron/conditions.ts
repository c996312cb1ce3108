import type { HealthCondition } from "../../feature/index.ts";

/** When the scheduler reports an issue. */
export const cronConditions: readonly HealthCondition[] = [
  {
    id: "job *",
    condition: "A job failed in its last two runs, or in its last run if it runs at most once an hour",
    degraded: "yes",
  },
  { id: "missed *", condition: "A job did not run at its last scheduled time", degraded: "yes" },
  {
    id: "waiting",
    condition: "Due runs wait for [room](cron.md#limits) for a minute or more",
    degraded: "yes",
  },
  { id: "no-worker", condition: "No instance runs jobs", degraded: "yes" },
  {
    id: "clock",
    condition: "The clocks of the instance and of the database differ by a second or more",
    degraded: "yes",
  },
  {
    id: "lease",
    condition: "The instance lost its [lease](cron.md#leases) and runs no jobs",
    failing: "yes",
  },
];
