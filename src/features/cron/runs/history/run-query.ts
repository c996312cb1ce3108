import type { Run } from "../run.ts";

/** Filter, page and sort order of runs, with the defaults and limits of the API. */
export interface RunQuery {
  /** Default: all jobs. */
  jobId?: string | undefined;
  /** Trace ID of the request that started the runs. */
  traceId?: string | undefined;
  /** "running", "success", "failed", "timeout" or "interrupted"; separate several values by commas. */
  status?: string | undefined;
  /** "schedule", "manual", "catch-up" or "retry"; separate several values by commas. */
  trigger?: string | undefined;
  /** Earliest start time. */
  from?: Date | number | string | undefined;
  /** Latest start time, exclusive. */
  to?: Date | number | string | undefined;
  /** Starts at 1. Default 1. */
  page?: number | undefined;
  /** Default 20, maximum 100. */
  perPage?: number | undefined;
  /** Comma-separated API field names; prefix a name with a minus for descending order. Default "-start_time". */
  sort?: string | undefined;
}

/** A page of runs. */
export interface RunPage {
  /** Number of this page, starting at 1. */
  readonly page: number;
  /** Maximum number of runs on a page. */
  readonly perPage: number;
  /** Number of pages. */
  readonly totalPages: number;
  /** Number of runs on all pages. */
  readonly totalItems: number;
  /** The runs of this page. */
  readonly items: readonly Run[];
}
