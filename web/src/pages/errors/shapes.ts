/** Responses of `GET /_/_/data/errors` and of one error by its fingerprint. Times are milliseconds since the epoch. */

export interface ErrorSummary {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  readonly routes: readonly string[];
  readonly jobs: readonly string[];
  /** Over all time, not only in the window. */
  readonly first_seen: number;
  readonly last_seen: number;
  readonly total: number;
  /** Whether it first occurred within the window. */
  readonly is_new: boolean;
  /** Occurrences within the window, in total and by step. */
  readonly count: number;
  readonly series: readonly number[];
}

interface Stepped {
  readonly from: number;
  readonly to: number;
  readonly step_ms: number;
}

export interface ErrorTable extends Stepped {
  /** The number of error groups; only the most frequent are listed. */
  readonly kinds: number;
  readonly errors: readonly ErrorSummary[];
}

export interface ErrorSample {
  readonly time: number;
  readonly trace_id: string;
  readonly instance: string;
  readonly message: string;
}

/** A cause: the error's `cause`, the cause of that, and the errors of an `AggregateError`. */
export interface ErrorCause {
  readonly relation: "cause" | "error";
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

export interface ErrorDetail extends ErrorSummary, Stepped {
  readonly stack: string;
  /** Nearest first. */
  readonly causes: readonly ErrorCause[];
  readonly samples: readonly ErrorSample[];
}

export const errorsPath = "/_/_/data/errors";
