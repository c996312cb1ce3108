/** A request or a job run at the time of a stall. */
export type StallWork =
  | {
      readonly kind: "request";
      readonly trace_id: string;
      readonly method: string;
      readonly path: string;
      readonly route?: string | undefined;
      readonly started_at: number;
    }
  | {
      readonly kind: "run";
      readonly trace_id: string;
      readonly job_id: string;
      readonly run_id: string;
      readonly started_at: number;
    };

/** A synchronous block of the event loop. */
export interface Stall {
  readonly started_at: number;
  readonly duration_ms: number;
  readonly instance: string;
  /** The request or run whose code blocked. Absent if it was other code, or if it is not known. */
  readonly cause?: StallWork | undefined;
  /** Whether the code was seen while it blocked, and not directly afterwards. Absent if it is not known. */
  readonly is_certain?: boolean | undefined;
  /** The innermost function of the application; absent if it is anonymous. */
  readonly function?: string | undefined;
  /** Where it is, as `src/report.ts:12:3`. */
  readonly location?: string | undefined;
  /** From the innermost function. Empty if it is not known. */
  readonly stack: readonly string[];
  /** Other requests and runs in progress; at most 20. */
  readonly in_flight: readonly StallWork[];
  readonly in_flight_count: number;
}
