import { type ELDHistogram, monitorEventLoopDelay, performance } from "node:perf_hooks";
import { type Part, put, type SampleValues } from "./sample-values.ts";

/**
 * Interval of delay measurements. Each one wakes an idle process, which costs up to 0.1 ms and is most of the sampler's
 * cost, about 0.25% of a core. Longer delays are always detected, but measured up to this much too short.
 */
export const resolutionMs = 40;

/** The interval while the process rests. Each sample needs one measurement. */
const restResolutionMs = 1_500;

/** Event loop delay and utilization. */
export function createEventLoop(): Part {
  let delay = createDelay(resolutionMs);
  let before: ReturnType<typeof performance.eventLoopUtilization> | undefined;
  return {
    sample(values) {
      const now = performance.eventLoopUtilization();
      const since = before && performance.eventLoopUtilization(now, before);
      put(values, "loop.utilisation_ratio", since?.utilization ?? NaN);
      before = now;
      delay.sample(values);
    },
    rest(isResting) {
      delay.close();
      delay = createDelay(isResting ? restResolutionMs : resolutionMs);
    },
    close: () => delay.close(),
  };
}

/**
 * Node's histogram contains the time between timer events; the excess over the resolution is delay. A reset discards
 * the time of the last event and therefore a delay in progress: a job that blocks the loop just before a sample would
 * never be detected. So two histograms run in parallel and are reset alternately, and the older one contains what the
 * newer one discarded.
 */
function createDelay(resolution: number) {
  let fresh = startHistogram(resolution);
  let older = startHistogram(resolution);
  let olderBefore: Contents = { count: 0, sum: 0 };
  return {
    sample(values: SampleValues): void {
      // Too soon after the previous sample: the histogram is not reset, so that frequent calls still get a result
      // eventually.
      if (fresh.count === 0) return;
      const contents = contentsOf(fresh);
      const forgotten = without(without(contentsOf(older), olderBefore), contents);
      putDelays(values, { fresh, contents, forgotten, resolution });
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

function startHistogram(resolution: number): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  return histogram;
}

interface Contents {
  readonly count: number;
  /** In nanoseconds. */
  readonly sum: number;
}

/** Uses the mean of the recorded values, so that sums can be subtracted from each other. */
function contentsOf({ count, mean }: ELDHistogram): Contents {
  return { count, sum: count > 0 ? count * mean : 0 };
}

function sumOf(contents: Contents, other: Contents): Contents {
  return { count: contents.count + other.count, sum: contents.sum + other.sum };
}

function without(contents: Contents, other: Contents): Contents {
  return { count: contents.count - other.count, sum: contents.sum - other.sum };
}

interface Delays {
  readonly fresh: ELDHistogram;
  readonly contents: Contents;
  readonly forgotten: Contents;
  readonly resolution: number;
}

function putDelays(values: SampleValues, { fresh, contents, forgotten, resolution }: Delays): void {
  // After a late timer event, the next one comes sooner, which is not a delay.
  const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);
  const all = forgotten.count > 0 ? sumOf(contents, forgotten) : contents;
  const longest = forgotten.count > 0 ? Math.max(fresh.max, forgotten.sum / forgotten.count) : fresh.max;
  put(values, "loop.delay_mean_ms", delayOf(all.sum / all.count));
  // With fewer than a hundred values, p99 is the maximum, and querying the histogram is the most expensive step.
  put(values, "loop.delay_p99_ms", delayOf(all.count < 100 ? longest : fresh.percentile(99)));
  put(values, "loop.delay_max_ms", delayOf(longest));
}
