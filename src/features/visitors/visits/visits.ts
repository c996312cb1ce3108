import type { KeyObject } from "node:crypto";
import { dayMs } from "../../../lib/time/units.ts";
import type { Agent } from "../collect/agents.ts";
import type { DayBounds } from "../days/day-bounds.ts";
import { hourOf } from "../days.ts";
import type { PageView } from "../messages.ts";
import { hostName, pageName, referrerName } from "../names.ts";
import { visitorId } from "./salts.ts";

/** The activity of one visitor within a batch of views. Contains neither address nor user agent. */
export interface Visit {
  readonly visitor: string;
  readonly agent: Agent;
  /** Referrer of the first view. */
  readonly referrer: string;
  readonly entry: string;
  readonly firstSeen: number;
  readonly views: readonly { time: number; hour: number; page: string }[];
}

export interface VisitParts {
  readonly salt: KeyObject;
  readonly bounds: DayBounds;
  agentOf(agent: string): Agent;
}

/** Groups the views of a day by visitor, in the order in which they are written. */
export function visitsOf(views: readonly PageView[], { salt, bounds, agentOf }: VisitParts): Visit[] {
  const byVisitor = new Map<string, PageView[]>();
  for (const view of views) {
    const visitor = visitorId(salt, view, hostName(view.host));
    const others = byVisitor.get(visitor);
    if (others === undefined) byVisitor.set(visitor, [view]);
    else others.push(view);
  }
  // All instances write in the same order, to avoid deadlocks.
  return [...byVisitor.keys()].sort().map((visitor) => toVisit(visitor, byVisitor.get(visitor)!));

  function toVisit(visitor: string, seen: PageView[]): Visit {
    const sorted = seen.sort((one, another) => one.time - another.time);
    const first = sorted[0]!;
    const agent = agentOf(first.agent);
    const pages = sorted.map(({ time, path }) => ({
      time: time % dayMs,
      hour: hourOf(time),
      page: bounds.page(agent.kind, pageName(path)),
    }));
    const referrer = referrerName(first.referrer, hostName(first.host));
    return {
      visitor,
      agent,
      referrer: bounds.referrer(agent.kind, referrer),
      entry: pages[0]!.page,
      firstSeen: first.time,
      views: pages,
    };
  }
}
