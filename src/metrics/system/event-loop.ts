import { type ELDHistogram, monitorEventLoopDelay, performance } from "node:perf_hooks";
import { type Figures, type Part, put } from "./figures.ts";

/**
 * How often the delay is measured. Each time wakes the process if it sleeps, which costs up to 0.1 ms and is most of
 * what the sampler costs; so it comes to a quarter of a percent of a core. What holds the loop up for longer than this
 * is never missed, and shows with its length less at most this much.
 */
export const resolutionMs = 40;

/** How late the event loop was, and how much of the time it was at work. */
export function createEventLoop(): Part {
  const delay = createDelay();
  let before: ReturnType<typeof performance.eventLoopUtilization> | undefined;
  return {
    sample(figures) {
      const now = performance.eventLoopUtilization();
      const since = before && performance.eventLoopUtilization(now, before);
      put(figures, "loop.utilisation_ratio", since?.utilization ?? NaN);
      before = now;
      delay.sample(figures);
    },
    close: delay.close,
  };
}

/**
 * Node's histogram holds the time from one ring of a timer to the next; what is above the resolution is delay. To reset
 * it forgets when the timer rang last, and with that the delay under way: a job that blocks the loop just before the
 * sample would never be seen. So there are two that ring together and are reset in turn, and the older one holds what
 * the fresh one forgot.
 */
function createDelay() {
  let fresh = startHistogram();
  let older = startHistogram();
  let olderBefore: Contents = { count: 0, sum: 0 };
  return {
    sample(figures: Figures): void {
      // Too soon after the sample before: go on, so that somebody who asks all the time gets an answer at last.
      if (fresh.count === 0) return;
      const contents = contentsOf(fresh);
      putDelays(figures, fresh, contents, without(without(contentsOf(older), olderBefore), contents));
      older.reset();
      olderBefore = contents;
      [fresh, older] = [older, fresh];
    },
    close(): void {
      fresh.disable();
      older.disable();
    },
  };
}

function startHistogram(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return histogram;
}

interface Contents {
  readonly count: number;
  /** In nanoseconds. */
  readonly sum: number;
}

/** The mean is that of the values as the histogram keeps them, so that sums of it can be subtracted from each other. */
function contentsOf({ count, mean }: ELDHistogram): Contents {
  return { count, sum: count > 0 ? count * mean : 0 };
}

function sumOf(contents: Contents, other: Contents): Contents {
  return { count: contents.count + other.count, sum: contents.sum + other.sum };
}

function without(contents: Contents, other: Contents): Contents {
  return { count: contents.count - other.count, sum: contents.sum - other.sum };
}

function putDelays(figures: Figures, fresh: ELDHistogram, contents: Contents, forgotten: Contents): void {
  const all = forgotten.count > 0 ? sumOf(contents, forgotten) : contents;
  const longest = forgotten.count > 0 ? Math.max(fresh.max, forgotten.sum / forgotten.count) : fresh.max;
  put(figures, "loop.delay_mean_ms", delayOf(all.sum / all.count));
  // Of fewer than a hundred the longest is the last percent, and asking the histogram costs more than all else here.
  put(figures, "loop.delay_p99_ms", delayOf(all.count < 100 ? longest : fresh.percentile(99)));
  put(figures, "loop.delay_max_ms", delayOf(longest));
}

/** A timer that rang late rings sooner the next time, and that is no delay. */
function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - resolutionMs);
}
