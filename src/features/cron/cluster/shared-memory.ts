/**
 * What both threads read and write without messages: after a blocked event loop, messages are processed too late.
 */
export interface HeartbeatMemory {
  /** Incremented by the main thread while it is running. */
  readonly pulse: Int32Array;
  /** When the last renewal that succeeded was sent, as `process.hrtime` in nanoseconds; 0 before the first one. */
  readonly sentAt: BigInt64Array;
}

export const heartbeatBytes = 16;

export function viewHeartbeat(memory: SharedArrayBuffer): HeartbeatMemory {
  return { pulse: new Int32Array(memory, 0, 1), sentAt: new BigInt64Array(memory, 8, 1) };
}
