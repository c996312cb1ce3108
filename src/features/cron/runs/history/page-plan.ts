import type { SortTerm } from "../../../../lib/page.ts";
import type { RunFilter, RunSelection, RunSortField } from "./run-selection.ts";

/** The filter whose index finds the runs. The others are checked for each run that it finds. */
export type Lead = "traceId" | "jobId" | "statuses" | "triggers" | "period" | undefined;

/** Where the runs of a page are. */
export interface PagePlan {
  readonly lead: Lead;
  readonly order: readonly SortTerm<RunSortField>[];
  /** Whether the runs that match are sorted, instead of read in the order of an index. */
  readonly isSorted: boolean;
  /** Counted from the nearer end of the order. */
  readonly offset: number;
  readonly limit: number;
  /** Whether the page was counted from the end, so that its runs are in the opposite order. */
  readonly isBackward: boolean;
}

export interface Counts {
  /** Runs that match the filter. */
  readonly total: number;
  /** Runs in the log. */
  readonly all: number;
}

/** Nearly all runs have these values, so an index does not help to find them. */
export const usual = { statuses: "success", triggers: "schedule" } as const;

/** SQLite has no statistics of the values, so the most selective filter is chosen here. */
export function leadOf(filter: RunFilter, sort?: readonly SortTerm<RunSortField>[]): Lead {
  const { traceId, jobId, statuses, triggers, from, to } = filter;
  if (traceId !== undefined) return "traceId";
  if (jobId !== undefined) return "jobId";
  const isRare = statuses?.includes(usual.statuses) === false;
  // The index of a single status has the order of starts.
  if (isRare || (statuses?.length === 1 && sort?.[0]?.field === "start_time")) return "statuses";
  if (triggers?.includes(usual.triggers) === false) return "triggers";
  return from === undefined && to === undefined ? undefined : "period";
}

/**
 * A late page is counted from the end. If no index has both the filter and the order, either all matching runs are
 * found and sorted, or runs are read in their order until the page is full. The cheaper way depends on how many match.
 */
export function planPage(selection: RunSelection, { total, all }: Counts): PagePlan {
  const { page, perPage } = selection;
  const sort = withTieBreaker(selection);
  const before = (page - 1) * perPage;
  const limit = Math.max(0, Math.min(perPage, total - before));
  const after = Math.max(0, total - before - limit);
  const isBackward = after < before;
  const offset = Math.min(before, after);
  const order = isBackward ? sort.map((term) => ({ ...term, isDescending: !term.isDescending })) : sort;
  const lead = leadOf(selection, sort);
  const isShort = ((offset + limit) / Math.max(total, 1)) * all < total;
  if (lead === undefined || isInOrder(selection, lead, sort))
    return { lead, order, isSorted: false, offset, limit, isBackward };
  return { lead: isShort ? undefined : lead, order, isSorted: !isShort, offset, limit, isBackward };
}

/** Whether the index of the filter has the runs in this order. */
function isInOrder(filter: RunFilter, lead: Lead, [first]: readonly SortTerm<RunSortField>[]): boolean {
  if (first?.field !== "start_time") return false;
  if (lead === "statuses" || lead === "triggers") return filter[lead]?.length === 1;
  return lead === "jobId" || lead === "period";
}

/**
 * Pages need a total order. The tie-breakers use the direction of the last term, so that an index can be read in one
 * direction. Many runs have the same status or job, and their indexes continue with the start.
 */
function withTieBreaker({ sort }: RunSelection): SortTerm<RunSortField>[] {
  const isDescending = sort.at(-1)?.isDescending ?? true;
  const has = (field: RunSortField) => sort.some((term) => term.field === field);
  if (has("id")) return [...sort];
  const last = sort.at(-1)?.field;
  const needsStart = (last === "status" || last === "job_id") && !has("start_time");
  const start = needsStart ? [{ field: "start_time" as const, isDescending }] : [];
  return [...sort, ...start, { field: "id", isDescending }];
}
