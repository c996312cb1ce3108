import { type Check, isTick, nameTick } from "../evidence.ts";

const finished = ["success", "failed", "timeout", "interrupted"];

export const findUnfinished: Check = ({ runs }) =>
  runs
    .filter(({ status }) => !finished.includes(status))
    .map(({ id, job_id, status }) => `${job_id}: run ${id} is ${status}`);

/**
 * The last attempt of each tick succeeded, or it was the last one that is allowed. A newer run of the job replaces the
 * retry of a failure, but not that of an interruption.
 */
export const findUnretried: Check = ({ jobs, runs }) => {
  const counts = new Map(
    jobs.flatMap(({ id, retries }): [string, number][] => (retries === undefined ? [] : [[id, retries]])),
  );
  const retried = runs.filter((run) => counts.has(run.job_id) && isTick(run));
  const ticks = Map.groupBy(retried, ({ job_id, scheduled_at }) => nameTick(job_id, scheduled_at));
  return [...ticks].flatMap(([tick, attempts]) => {
    const last = attempts.reduce((one, other) => (other.attempt > one.attempt ? other : one));
    const isExhausted = last.attempt > counts.get(last.job_id)!;
    const isReplaced =
      last.status === "failed" &&
      retried.some(({ job_id, started_at }) => job_id === last.job_id && started_at >= last.ended_at);
    if (last.status === "success" || isExhausted || isReplaced) return [];
    return [`${tick}: attempt ${last.attempt} is ${last.status}, and none followed`];
  });
};
