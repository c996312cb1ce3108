/** The types of a stall, from its detection to the history. Times are milliseconds since the epoch. */

/** A function on the stack, as the process executes it: in a compiled file, if there is one. */
export interface Frame {
  /** Absent for anonymous functions. */
  readonly name?: string | undefined;
  /** A path or URL. Absent for functions of the language. */
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
}

/** A request or a job run. */
export type Work = RequestWork | RunWork;

export interface RequestWork {
  readonly kind: "request";
  readonly traceId: string;
  readonly method: string;
  /** Redacted. */
  readonly path: string;
  /** The route's pattern; absent if no route matched. */
  readonly route?: string | undefined;
  readonly startedAt: number;
}

export interface RunWork {
  readonly kind: "run";
  readonly traceId: string;
  readonly jobId: string;
  readonly runId: string;
  readonly startedAt: number;
}

/** The code that blocked the event loop. */
export interface Blocker {
  /** The request or run that the code belongs to. Absent for other code, such as a timer of the application. */
  readonly work?: Work | undefined;
  /** Whether the code was seen while it blocked. Otherwise, it ran directly after a native function that blocked. */
  readonly isCertain: boolean;
  /** From the innermost function. */
  readonly frames: readonly Frame[];
  /** Index of the frame that is shown: the innermost one of the application. */
  readonly shownFrame: number;
}

/** A stall as the main thread finds it. */
export interface FoundStall {
  readonly startedAt: number;
  readonly durationMs: number;
  /** Absent if no code was seen for long enough to have caused the stall. */
  readonly blocker?: Blocker | undefined;
  /** Other requests and runs in progress. */
  readonly inFlight: readonly Work[];
  /** Number of other requests and runs, including those that are not listed. */
  readonly inFlightCount: number;
}
