import { type Check, giveUpMs, noticeMs, storeMs } from "../evidence.ts";
import type { Incident } from "../faults.ts";
import type { Call, ProcessRecord } from "../records.ts";

/**
 * A run may be interrupted only if its process was killed or stopped, or could not reach the database. If its function
 * finished, the result replaces the interruption.
 */
export const findFalseInterruptions: Check = ({ runs, calls, incidents }) => {
  const byRun = new Map(calls.map((call) => [call.run, call]));
  return runs
    .filter(({ status }) => status === "interrupted")
    .flatMap((run) => {
      const call = byRun.get(run.id);
      if (!call) return [];
      const of = `${run.job_id}: run ${run.id} on ${call.instance}`;
      if (call.end === undefined)
        return isKilled(call, incidents) ? [] : [`${of} is interrupted, but its function did not end`];
      if (call.how === "aborted")
        return hasCause(call, incidents) ? [] : [`${of} was aborted without a cause`];
      return isKilled(call, incidents) ? [] : [`${of} is interrupted, but its function ended (${call.how})`];
    });
};

/** Whether its process was killed during the call, or before the result can have been stored. */
function isKilled({ begin, end, pid }: Call, incidents: readonly Incident[]): boolean {
  return incidents.some(
    ({ kind, pid: killed, from }) =>
      kind === "kill" && killed === pid && from >= begin && (end === undefined || from - end < storeMs),
  );
}

function hasCause(call: Call, incidents: readonly Incident[]): boolean {
  return incidents.some(
    ({ kind, pid, from, to }) =>
      (kind === "outage" || (kind === "stop" && pid === call.pid)) &&
      from <= (call.end ?? Number.POSITIVE_INFINITY) &&
      to + giveUpMs >= call.begin,
  );
}

/** From the moment at which an instance reports that it is fenced until it rejoins. */
export const findFencedRuns: Check = ({ records, calls, incidents, slackMs }) =>
  fencedPeriods(records).flatMap(({ pid, instance, from, to }) => {
    const own = calls.filter((call) => call.pid === pid);
    const death = incidents.find(({ kind, pid: killed }) => kind === "kill" && killed === pid)?.from;
    const last = death ?? Number.POSITIVE_INFINITY;
    const begun = own.filter(({ begin }) => begin > from && begin < Math.min(to, last));
    const continued = own.filter(({ begin, end = last }) => begin <= from && end > from + noticeMs + slackMs);
    return [
      ...begun.map(({ job, run }) => `${job}: run ${run} began on ${instance} while it was fenced`),
      ...continued.map(({ job, run }) => `${job}: run ${run} continued on ${instance} after it was fenced`),
    ];
  });

export interface FencedPeriod {
  readonly pid: number;
  readonly instance: string;
  readonly from: number;
  readonly to: number;
}

export function fencedPeriods(records: readonly ProcessRecord[]): FencedPeriod[] {
  return records
    .filter(({ kind }) => kind === "fenced")
    .map(({ pid, instance, at }) => {
      const back = records.find(
        (record) => record.kind === "rejoined" && record.pid === pid && record.at > at,
      );
      return { pid, instance, from: at, to: back?.at ?? Number.POSITIVE_INFINITY };
    });
}
