import type { Histogram } from "node:perf_hooks";

/** Interval of the beats that the event loop of the main thread counts. */
export const beatMs = 40;

/** What the watching thread is given. */
export interface StallWatch {
  /** Node counts a beat of the main thread's event loop every `beatMs`. A copy in another thread shares the counts. */
  readonly beats: Histogram;
  /** Shorter blocks are not stalls. */
  readonly thresholdMs: number;
  /** Name of the global symbol under which the main thread has a `StallListener`. */
  readonly key: string;
  /** See `viewShared`. */
  readonly shared: SharedArrayBuffer;
}

/**
 * Called by the watching thread, on the main thread, at any point of any code. So it must not call code that may be in
 * the middle of something, such as the logger. The arguments are in shared memory: the inspector retains the text of
 * every different expression.
 */
export interface StallListener {
  sample(): void;
  end(): void;
}

/** Memory that both threads share. */
export interface Shared {
  /** See `sessionOpen`, `leaveAsked` and `resting`. */
  readonly flags: Int32Array<SharedArrayBuffer>;
  /** Numbers by the indexes in `values`. */
  readonly values: Float64Array<SharedArrayBuffer>;
}

/** Index in `flags`: 1 while the watching thread is connected to the main thread's inspector. */
export const sessionOpen = 0;
/** Index in `flags`: 1 after the main thread has asked it to disconnect. */
export const leaveAsked = 1;
/** Index in `flags`: 1 while the main thread rests and makes no beats. It notifies a waiting thread when it wakes. */
export const resting = 2;

export const values = {
  /** Number of the stall that is sampled, and when the sample was requested, in `monotonicNow`. */
  sampledStall: 0,
  askedAt: 1,
  /** Number, duration and end of the stall that has ended, in milliseconds since the epoch. */
  endedStall: 2,
  durationMs: 3,
  endedAt: 4,
  /**
   * The last beat that the main thread made itself, in `monotonicNow`. Node counts its second beat, so a block right
   * after a rest would be missed.
   */
  beatAt: 5,
} as const;

const flagBytes = 4 * Int32Array.BYTES_PER_ELEMENT;

export function createShared(): SharedArrayBuffer {
  return new SharedArrayBuffer(flagBytes + Object.keys(values).length * Float64Array.BYTES_PER_ELEMENT);
}

export function viewShared(shared: SharedArrayBuffer): Shared {
  return { flags: new Int32Array(shared, 0, 3), values: new Float64Array(shared, flagBytes) };
}

/** Monotonic milliseconds, the same in all threads. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
