import type { HealthIssue } from "../../../feature/index.ts";

/** A fleet in which no instance runs jobs. The count is undefined until the instances have been read. */
export function findIdleFleet(runningInstances: number | undefined): HealthIssue[] {
  if (runningInstances !== 0) return [];
  const message =
    "No jobs run: cron.run is false on all instances. Start a worker with `annex worker`, or set cron.run on an instance.";
  return [{ id: "no-worker", status: "degraded", message, link: { page: "cron", params: {} } }];
}
