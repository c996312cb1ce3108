import type { HealthIssue } from "../../../feature/index.ts";

export interface HealthStatus {
  readonly status: "healthy" | "degraded" | "failing" | "draining";
  /** Why, the most severe first. */
  readonly reasons: readonly (HealthIssue & { readonly since: number })[];
}

const shuttingDown: HealthIssue = {
  id: "shutdown",
  status: "degraded",
  message: "The server is shutting down and accepts no new requests.",
};

/** The health status of an instance. It remembers since when each issue has existed. */
export class HealthEvaluation {
  private firstSeen = new Map<string, number>();

  evaluate(isDraining: boolean, issues: readonly HealthIssue[], now: number): HealthStatus {
    const all = [...(isDraining ? [shuttingDown] : []), ...issues.toSorted(bySeverity)];
    this.firstSeen = new Map(all.map(({ id, since }) => [id, since ?? this.firstSeen.get(id) ?? now]));
    const reasons = all.map((issue) => ({ ...issue, since: this.firstSeen.get(issue.id)! }));
    return { status: isDraining ? "draining" : statusOf(issues), reasons };
  }
}

export function statusOf(issues: readonly HealthIssue[]): "healthy" | "degraded" | "failing" {
  if (issues.some(({ status }) => status === "failing")) return "failing";
  return issues.length > 0 ? "degraded" : "healthy";
}

export function bySeverity(one: HealthIssue, other: HealthIssue): number {
  return Number(other.status === "failing") - Number(one.status === "failing");
}
