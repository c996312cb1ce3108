import type { Beat } from "./heartbeat.ts";

/** A minute of beats. */
const sampleCount = 20;
/** Smaller differences are noise. Following them would only make the clock restless. */
const noiseMs = 20;

/** How far the clock of the database is ahead. The fastest round trip of the last minute is the most exact sample. */
export class OffsetEstimate {
  private readonly samples: { readonly tripMs: number; readonly aheadMs: number }[] = [];
  private current = 0;

  /** Adds a sample and returns the estimate. */
  add({ sentAt, confirmedAt, aheadMs }: Beat): number {
    const sample = { tripMs: confirmedAt - sentAt, aheadMs };
    const last = this.samples.at(-1);
    // One of the clocks was set: older samples say nothing about it any more.
    const isJump =
      last !== undefined && Math.abs(last.aheadMs - aheadMs) > (last.tripMs + sample.tripMs) / 2 + noiseMs;
    if (isJump) this.samples.length = 0;
    this.samples.push(sample);
    if (this.samples.length > sampleCount) this.samples.shift();
    const best = this.samples.reduce((one, other) => (other.tripMs <= one.tripMs ? other : one));
    if (Math.abs(best.aheadMs - this.current) > noiseMs) this.current = Math.round(best.aheadMs);
    return this.current;
  }
}
