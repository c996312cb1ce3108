import type { AlarmClock } from "../../../lib/time/clock.ts";
import { describeFault, type FaultReason, faultOf } from "../../../storage/index.ts";

export interface ProbeSources {
  /** Writes to the database. Rejects if the write fails or is not durable. */
  probeStore(): Promise<void>;
  readonly clock: AlarmClock;
}

export type ProbeResult =
  | { readonly isOk: true }
  | { readonly isOk: false; readonly reason: FaultReason; readonly message: string };

/** Longer than a busy database needs, shorter than the timeout of an orchestrator. */
const deadlineMs = 2_000;
/** Limits the disk load of frequent health checks. */
const reuseMs = 1_000;

/** Writes to the database at most once per second. Callers within that second, and during a write, share the result. */
export function createStoreProbe({ probeStore, clock }: ProbeSources): () => Promise<ProbeResult> {
  let begunAt = Number.NEGATIVE_INFINITY;
  let isPending = false;
  let result: Promise<ProbeResult> = Promise.resolve({ isOk: true });

  async function write(): Promise<ProbeResult> {
    try {
      await probeStore();
      return { isOk: true };
    } catch (error) {
      return failure(faultOf(error)?.reason ?? "io_error");
    } finally {
      isPending = false;
    }
  }

  async function writeInTime(): Promise<ProbeResult> {
    const late = Promise.withResolvers<ProbeResult>();
    const callOff = clock.after(deadlineMs, () => late.resolve(failure("unavailable")));
    try {
      return await Promise.race([write(), late.promise]);
    } finally {
      callOff();
    }
  }

  return () => {
    if (!isPending && clock.elapsed() - begunAt >= reuseMs) {
      begunAt = clock.elapsed();
      isPending = true;
      result = writeInTime();
    }
    return result;
  };
}

function failure(reason: FaultReason): ProbeResult {
  return { isOk: false, reason, message: describeFault(reason) };
}
