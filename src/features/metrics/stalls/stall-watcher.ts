import { type InspectorSession, openInspector } from "./inspector.ts";
import {
  values as at,
  beatMs,
  leaveAsked,
  monotonicNow,
  type StallListener,
  type StallWatch,
  sessionOpen,
  viewShared,
} from "./watch-contract.ts";

/** Interval of samples during a stall. */
const sampleMs = 20;
/** After this many samples of one stall, further ones are taken rarely. */
const manySamples = 50;
const rareSampleMs = 250;

interface Stall {
  readonly number: number;
  readonly session: InspectorSession;
  /** Sum of all intervals between beats before the stall. */
  readonly sumBefore: number;
  readonly countBefore: number;
  samples: number;
  isPending: boolean;
}

export interface StallWatcher {
  close(): void;
}

/**
 * Watches the event loop of the main thread from another thread. While it is on time, this reads one number now and
 * then. When it is late, the inspector runs a function on the main thread in the middle of the code that blocks it.
 */
export function watchStalls(watch: StallWatch, open = openInspector): StallWatcher {
  const { beats, thresholdMs, key } = watch;
  const { flags, values } = viewShared(watch.shared);
  // A stall lasts for at least two intervals, so its second poll finds the same count as the first.
  const pollMs = (thresholdMs + beatMs) / 2;
  let timer: NodeJS.Timeout | undefined;
  let count = beats.count;
  let countedAt = monotonicNow();
  let number = 0;
  let stall: Stall | undefined;
  let isEnding = false;

  function poll(): void {
    const current = beats.count;
    if (Atomics.load(flags, leaveAsked) === 1) {
      close();
      return;
    }
    if (current !== count) {
      if (stall) end(stall);
      count = current;
      countedAt = monotonicNow();
    } else if (count > 0 && monotonicNow() - countedAt > beatMs) {
      stall ??= begin();
      // Without an inspector, nothing can be found out.
      if (!stall) return;
      sample(stall);
    }
    schedule();
  }

  function schedule(): void {
    const isRare = (stall?.samples ?? 0) >= manySamples;
    timer = setTimeout(poll, stall ? (isRare ? rareSampleMs : sampleMs) : pollMs).unref();
  }

  function begin(): Stall | undefined {
    const session = open();
    if (!session) return undefined;
    Atomics.store(flags, sessionOpen, 1);
    const sumBefore = sumOf(beats);
    return { number: ++number, session, sumBefore, countBefore: count, samples: 0, isPending: false };
  }

  /** Native code delays a sample. Another one is requested only after it was taken. */
  function sample(of: Stall): void {
    if (of.isPending) return;
    of.isPending = true;
    of.samples++;
    values[at.sampledStall] = of.number;
    values[at.askedAt] = monotonicNow();
    of.session.evaluate(callOf(key, "sample"), () => {
      of.isPending = false;
    });
  }

  /** Several beats may have passed since the stall; each one of them that was on time adds `beatMs`. */
  function end(of: Stall): void {
    stall = undefined;
    const passed = beats.count - of.countBefore;
    const durationMs = (sumOf(beats) - of.sumBefore) / 1e6 - passed * beatMs;
    // The main thread has not read the values of the previous stall if it was blocked again immediately.
    if (durationMs < thresholdMs || isEnding) {
      disconnect(of);
      return;
    }
    isEnding = true;
    values[at.endedStall] = of.number;
    values[at.durationMs] = durationMs;
    values[at.endedAt] = Date.now();
    of.session.evaluate(callOf(key, "end"), () => {
      isEnding = false;
      disconnect(of);
    });
  }

  function disconnect({ session }: Stall): void {
    session.close();
    if (stall) return;
    Atomics.store(flags, sessionOpen, 0);
    Atomics.notify(flags, sessionOpen);
  }

  function close(): void {
    clearTimeout(timer);
    timer = undefined;
    const open = stall;
    stall = undefined;
    if (open) disconnect(open);
  }

  schedule();
  return { close };
}

/** In nanoseconds. */
function sumOf({ count, mean }: StallWatch["beats"]): number {
  return count === 0 ? 0 : count * mean;
}

function callOf(key: string, name: keyof StallListener): string {
  return `globalThis[Symbol.for(${JSON.stringify(key)})]?.${name}()`;
}
