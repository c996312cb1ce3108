import type { Job } from "../../../../../src/features/cron/wire.ts";

/** The filters and the order of the job list. */

export const filters = ["all", "failing", "running", "paused", "removed"] as const;
export type Filter = (typeof filters)[number];

export const orders = ["attention", "next", "name", "last", "slowest", "failures"] as const;
export type Order = (typeof orders)[number];

export function isFailing({ last_status }: Job): boolean {
  return last_status !== undefined && last_status !== "success";
}

export const fits: Readonly<Record<Filter, (job: Job) => boolean>> = {
  all: ({ removed }) => !removed,
  failing: (job) => !job.removed && isFailing(job),
  running: ({ running }) => running.length > 0,
  paused: ({ paused, removed }) => paused && !removed,
  removed: ({ removed }) => removed,
};

/** Jobs that contain every word of the search text. */
export function findJobs(jobs: readonly Job[], text: string): readonly Job[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return jobs;
  return jobs.filter(({ id, name, description, schedule, schedule_words }) => {
    const searched = `${id}\n${name}\n${description}\n${schedule}\n${schedule_words}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

type Compare = (one: Job, other: Job) => number;

const never = Number.MAX_SAFE_INTEGER;
const byNext: Compare = (one, other) => (one.next_run ?? never) - (other.next_run ?? never);
const byName: Compare = (one, other) => one.name.localeCompare(other.name);
const urgency = (job: Job) => (isFailing(job) ? 0 : job.running.length > 0 ? 1 : job.is_system ? 3 : 2);

const compares: Readonly<Record<Order, Compare>> = {
  attention: (one, other) => urgency(one) - urgency(other) || byName(one, other),
  next: byNext,
  name: byName,
  last: (one, other) => (other.last_run ?? 0) - (one.last_run ?? 0),
  slowest: (one, other) => (other.p95_ms ?? -1) - (one.p95_ms ?? -1),
  failures: (one, other) => other.failed_kept - one.failed_kept,
};

export function sortJobs(jobs: readonly Job[], order: Order): readonly Job[] {
  return [...jobs].sort((one, other) => compares[order](one, other) || byName(one, other));
}
