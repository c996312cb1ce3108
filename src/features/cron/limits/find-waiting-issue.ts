import type { HealthIssue } from "../../../feature/index.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import type { WaitingTicks } from "./backlog.ts";

/** A short wait is what a limit is for. */
const longMs = minuteMs;

/** Ticks that have been waiting for room for long. */
export function findWaitingIssue(backlog: WaitingTicks | undefined, now: number): HealthIssue[] {
  const since = backlog?.oldest();
  if (backlog === undefined || since === undefined || now - since < longMs) return [];
  const runs = backlog.size === 1 ? "1 due run waits" : `${backlog.size} due runs wait`;
  const message = `${runs} because of cron.concurrency or cron.groups, the oldest for ${describeMinutes(now - since)}.`;
  return [{ id: "waiting", status: "degraded", message, since, link: { page: "cron", params: {} } }];
}

function describeMinutes(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / minuteMs);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
