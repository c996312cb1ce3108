/** A load that the benchmark measures. */
export interface Scenario {
  readonly title: string;
  /** `managers` have only the jobs; `applications` are complete, with metrics, logs and sessions. */
  readonly kind: "managers" | "applications";
  readonly instances: number;
  readonly jobs: number;
  /** "minute": all jobs are due each minute. "hour": each is due once an hour. "never": none is due. */
  readonly due: "minute" | "hour" | "never";
  readonly seconds: number;
}

export const scenarios: Record<string, Scenario> = {
  idle: { title: "idle", kind: "managers", instances: 50, jobs: 200, due: "never", seconds: 30 },
  due: { title: "all due", kind: "managers", instances: 50, jobs: 200, due: "minute", seconds: 60 },
  many: { title: "due hourly", kind: "managers", instances: 5, jobs: 10_000, due: "hour", seconds: 60 },
  application: {
    title: "whole application, idle",
    kind: "applications",
    instances: 2,
    jobs: 200,
    due: "never",
    seconds: 60,
  },
};

/** For a test: enough to show that each part works. */
export const quickScenarios: Record<string, Scenario> = {
  idle: { ...scenarios.idle!, instances: 2, jobs: 5, seconds: 4 },
};

/** The schedule of a job. Those that are never due are due half a year away. */
export function scheduleOf(due: Scenario["due"], index: number): string {
  if (due === "minute") return "* * * * *";
  if (due === "hour") return `${index % 60} * * * *`;
  return `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`;
}
