import type { PageRequest, SortTerm } from "../../../../lib/page.ts";
import type { CronTables, RunStatus, Trigger } from "../../tables.ts";

/** Filter for runs. Absent fields match all runs. */
export interface RunFilter {
  readonly jobId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
  readonly triggers?: readonly Trigger[] | undefined;
  /** Start time range in milliseconds since the epoch; `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface RunSelection extends PageRequest, RunFilter {
  readonly sort: readonly SortTerm<RunSortField>[];
}

/** Sort fields of the contract and their columns. */
export const sortColumns = {
  start_time: "started_at",
  end_time: "ended_at",
  duration_ms: "duration_ms",
  status: "status",
  job_id: "job_id",
  job_name: "job_name",
  id: "id",
} as const satisfies Record<string, keyof CronTables["annex_cron_runs"]>;

export type RunSortField = keyof typeof sortColumns;

export const runSortFields = Object.keys(sortColumns) as RunSortField[];
