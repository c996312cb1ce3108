import { type InspectorSession, openInspector } from "./inspector.ts";
import {
  values as at,
  beatMs,
  leaveAsked,
  monotonicNow,
  resting,
  type Shared,
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
  /** The last beat that the main thread made itself, if Node has not counted one yet. */
  readonly beatBefore: number | undefined;
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
  return new LoopWatcher(watch, open);
}

class LoopWatcher implements StallWatcher {
  private readonly watch: StallWatch;
  private readonly open: typeof openInspector;
  private readonly flags: Shared["flags"];
  private readonly values: Shared["values"];
  private readonly pollMs: number;
  private timer: NodeJS.Timeout | undefined;
  private count: number;
  private countedAt = monotonicNow();
  private ownBeatAt = 0;
  private number = 0;
  private stall: Stall | undefined;
  private isEnding = false;
  private isClosed = false;

  constructor(watch: StallWatch, open: typeof openInspector) {
    this.watch = watch;
    this.open = open;
    const { flags, values } = viewShared(watch.shared);
    this.flags = flags;
    this.values = values;
    this.count = watch.beats.count;
    // A stall lasts for at least two intervals, so its second poll finds the same count as the first.
    this.pollMs = (watch.thresholdMs + beatMs) / 2;
    this.schedule();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    const open = this.stall;
    this.stall = undefined;
    if (open) this.disconnect(open);
  }

  private poll(): void {
    const { flags, watch, values } = this;
    const { count } = watch.beats;
    if (Atomics.load(flags, leaveAsked) === 1) {
      this.close();
      return;
    }
    if (Atomics.load(flags, resting) === 1) {
      this.waitForWork();
      return;
    }
    if (count !== this.count || values[at.beatAt] !== this.ownBeatAt) {
      if (this.stall) this.end(this.stall);
      this.see(count, monotonicNow());
    } else if ((count > 0 || this.ownBeatAt > 0) && monotonicNow() - this.countedAt > beatMs) {
      this.stall ??= this.begin();
      // Without an inspector, nothing can be found out.
      if (!this.stall) return;
      this.sample(this.stall);
    }
    this.schedule();
  }

  private see(count: number, countedAt: number): void {
    this.count = count;
    this.countedAt = countedAt;
    this.ownBeatAt = this.values[at.beatAt]!;
  }

  private schedule(): void {
    const isRare = (this.stall?.samples ?? 0) >= manySamples;
    const afterMs = this.stall ? (isRare ? rareSampleMs : sampleMs) : this.pollMs;
    this.timer = setTimeout(() => this.poll(), afterMs).unref();
  }

  /** Without a timer, so that nothing wakes this thread during a rest. */
  private waitForWork(): void {
    const { async, value } = Atomics.waitAsync(this.flags, resting, 1);
    if (!async) {
      this.schedule();
      return;
    }
    void value.then(() => {
      if (this.isClosed) return;
      // The block can have begun at the first beat.
      this.see(this.watch.beats.count, this.values[at.beatAt]!);
      this.schedule();
    });
  }

  private begin(): Stall | undefined {
    const session = this.open();
    if (!session) return undefined;
    Atomics.store(this.flags, sessionOpen, 1);
    return {
      number: ++this.number,
      session,
      sumBefore: sumOf(this.watch.beats),
      countBefore: this.count,
      beatBefore: this.count === 0 ? this.ownBeatAt : undefined,
      samples: 0,
      isPending: false,
    };
  }

  /** Native code delays a sample. Another one is requested only after it was taken. */
  private sample(stall: Stall): void {
    if (stall.isPending) return;
    stall.isPending = true;
    stall.samples++;
    this.values[at.sampledStall] = stall.number;
    this.values[at.askedAt] = monotonicNow();
    stall.session.evaluate(callOf(this.watch.key, "sample"), () => {
      stall.isPending = false;
    });
  }

  private end(stall: Stall): void {
    const { thresholdMs, key } = this.watch;
    this.stall = undefined;
    const durationMs = this.durationOf(stall);
    // The main thread has not read the values of the previous stall if it was blocked again immediately.
    if (durationMs < thresholdMs || this.isEnding) {
      this.disconnect(stall);
      return;
    }
    this.isEnding = true;
    this.values[at.endedStall] = stall.number;
    this.values[at.durationMs] = durationMs;
    this.values[at.endedAt] = Date.now();
    stall.session.evaluate(callOf(key, "end"), () => {
      this.isEnding = false;
      this.disconnect(stall);
    });
  }

  /** Several beats may have passed since the stall; each one of them that was on time adds `beatMs`. */
  private durationOf({ beatBefore, countBefore, sumBefore }: Stall): number {
    const { beats } = this.watch;
    if (beatBefore !== undefined) return this.values[at.beatAt]! - beatBefore - beatMs;
    return (sumOf(beats) - sumBefore) / 1e6 - (beats.count - countBefore) * beatMs;
  }

  private disconnect({ session }: Stall): void {
    session.close();
    if (this.stall) return;
    Atomics.store(this.flags, sessionOpen, 0);
    Atomics.notify(this.flags, sessionOpen);
  }
}

/** In nanoseconds. */
function sumOf({ count, mean }: StallWatch["beats"]): number {
  return count === 0 ? 0 : count * mean;
}

function callOf(key: string, name: keyof StallListener): string {
  return `globalThis[Symbol.for(${JSON.stringify(key)})]?.${name}()`;
}
