import type { HealthReason, HealthReport } from "../../../../src/features/metrics/wire.ts";

export interface MemberHealth {
  readonly instance: string;
  readonly verdict: Pick<HealthReport, "status" | "reasons">;
}

type Health = MemberHealth["verdict"];

const severities = ["failing", "degraded", "draining", "healthy"] as const;

/** The worst status of all instances, with all reasons, failing ones first. */
export function mergeHealth(members: readonly MemberHealth[]): Health {
  const status =
    severities.find((each) => members.some(({ verdict }) => verdict.status === each)) ?? "healthy";
  const reported = members.flatMap(({ instance, verdict }) =>
    verdict.reasons.map((reason) => ({ instance, reason })),
  );
  const groups = Map.groupBy(reported, ({ reason: { id, message } }) => JSON.stringify([id, message]));
  const reasons = [...groups.values()].map((group) => mergeReasons(group, members.length));
  const isLess = ({ status }: HealthReason) => Number(status !== "failing");
  return { status, reasons: reasons.sort((one, other) => isLess(one) - isLess(other)) };
}

interface ReportedReason {
  readonly instance: string;
  readonly reason: HealthReason;
}

/** A reason that all instances report, such as a failing job, belongs to none of them in particular. */
function mergeReasons(group: readonly ReportedReason[], memberCount: number): HealthReason {
  const reasons = group.map(({ reason }) => reason);
  const first = reasons.find(({ status }) => status === "failing") ?? reasons[0]!;
  const ends = reasons.flatMap(({ until }) => until ?? []);
  const merged = {
    ...first,
    since: Math.min(...reasons.map(({ since }) => since)),
    until: ends.length < reasons.length ? undefined : Math.max(...ends),
  };
  if (group.length === memberCount) return merged;
  const names = group.map(({ instance }) => instance).join(", ");
  return { ...merged, id: `${names} ${first.id}`, message: `${names}: ${first.message}` };
}
