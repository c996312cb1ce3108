/** What `GET /_/_/data/errors` answers, and one of them by its fingerprint. Times are milliseconds since the epoch. */

export interface ErrorSummary {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  readonly routes: readonly string[];
  readonly jobs: readonly string[];
  /** Over all time. */
  readonly first_seen: number;
  readonly last_seen: number;
  readonly total: number;
  /** Whether it came up for the first time within the window. */
  readonly is_new: boolean;
  /** Within the window, and by its steps. */
  readonly count: number;
  readonly series: readonly number[];
}

interface Stepped {
  readonly from: number;
  readonly to: number;
  readonly step_ms: number;
}

export interface ErrorTable extends Stepped {
  /** How many kinds there were, of which the most frequent are listed. */
  readonly kinds: number;
  readonly errors: readonly ErrorSummary[];
}

export interface ErrorSample {
  readonly time: number;
  readonly trace_id: string;
  readonly instance: string;
  readonly message: string;
}

/** What caused an error: its `cause`, the cause of that, and the errors of an `AggregateError`. */
export interface ErrorCause {
  readonly relation: "cause" | "error";
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

export interface ErrorDetail extends ErrorSummary, Stepped {
  readonly stack: string;
  /** The nearest first. */
  readonly causes: readonly ErrorCause[];
  readonly samples: readonly ErrorSample[];
}

export const errorsPath = "/_/_/data/errors";
