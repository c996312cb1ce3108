import type { HealthIssue } from "../../../../feature/index.ts";
import { duration, percent, times } from "../words.ts";
import type { ReferenceName } from "./references.ts";
import type { TrafficFinding } from "./traffic-rules.ts";

/** A finding and its time, in seconds since the epoch. */
export interface TimedFinding {
  readonly since: number;
  /** Absent while it lasts. */
  readonly until?: number;
  readonly finding: TrafficFinding;
}

/** Findings of one kind, by route. `undefined`: all requests. */
export type FoundByRoute = ReadonlyMap<string | undefined, TimedFinding>;

/** Further routes are summarized. */
const maxRoutes = 3;
/** From this share on, the service does not work for many users. */
export const failingShare = 0.25;

/** Describes findings, those that affect the most requests first. */
export function toIssues(found: FoundByRoute): HealthIssue[] {
  const whole = found.get(undefined);
  const ofRoutes = [...found]
    .filter((entry): entry is [string, TimedFinding] => entry[0] !== undefined)
    .sort(([, one], [, other]) => other.finding.bad - one.finding.bad);
  const more = ofRoutes.length - maxRoutes;
  return [
    ...(whole ? [describeWhole(whole)] : []),
    ...ofRoutes.slice(0, maxRoutes).map(([route, each]) => describeRoute(route, each)),
    ...(more > 0 ? [summarize(more, ofRoutes[maxRoutes]![1])] : []),
  ];
}

function describeWhole({ since, until, finding }: TimedFinding): HealthIssue {
  const { kind, value, count } = finding;
  const isFailing = kind === "errors" && value >= failingShare;
  const was = until === undefined ? "is" : "was";
  return {
    id: kind,
    status: isFailing ? "failing" : "degraded",
    message:
      kind === "errors"
        ? `${percent(value)} of ${count.toLocaleString("en")} requests failed with a 5xx status${comparison(finding)}.`
        : `The p95 of all requests ${was} ${duration(value)}${comparison(finding)}.`,
    since: since * 1_000,
    link: { page: "requests", params: { tab: "routes" } },
  };
}

function describeRoute(route: string, { since, until, finding }: TimedFinding): HealthIssue {
  const { kind, value, bad, count } = finding;
  const isOver = until !== undefined;
  const share = `${percent(value)} of its requests (${bad.toLocaleString("en")} of ${count.toLocaleString("en")})`;
  return {
    id: `${kind} ${route}`,
    status: "degraded",
    message:
      kind === "errors"
        ? `${route} ${isOver ? "failed" : "fails"} in ${share}${comparison(finding)}.`
        : `${route} ${isOver ? "was" : "is"} slow: p95 ${duration(value)}${comparison(finding)}.`,
    since: since * 1_000,
    link: { page: "requests", params: { tab: "routes", route } },
  };
}

function summarize(more: number, { since, until, finding }: TimedFinding): HealthIssue {
  const isOver = until !== undefined;
  const subject = more === 1 ? "Another route" : `${more} other routes`;
  const [fails, is] = isOver
    ? ["failed", more === 1 ? "was" : "were"]
    : [more === 1 ? "fails" : "fail", more === 1 ? "is" : "are"];
  const complaint = finding.kind === "errors" ? `${fails} more often than usual` : `${is} slower than usual`;
  return {
    id: `${finding.kind} others`,
    status: "degraded",
    message: `${subject} ${complaint}.`,
    since: since * 1_000,
    link: { page: "requests", params: { tab: "routes" } },
  };
}

const pastWords: Readonly<Record<ReferenceName, string>> = {
  hour: "in the hour before",
  yesterday: "at this time yesterday",
};

function comparison({ kind, value, past, limit }: TrafficFinding): string {
  if (!past) return kind === "errors" ? "" : `, above the limit of ${duration(limit)}`;
  const { comparedWith, usual } = past;
  const when = pastWords[comparedWith];
  if (kind === "errors") return `, ${percent(usual)} ${when}`;
  return usual > 0 ? `, ${times(value / usual)} that ${when} (${duration(usual)})` : "";
}
