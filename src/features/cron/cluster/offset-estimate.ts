import type { Beat } from "./heartbeat.ts";

/** Half a minute of beats. In this time, the two clocks drift apart by a few milliseconds at most. */
const sampleCount = 10;

interface Sample {
  readonly least: number;
  readonly most: number;
}

/**
 * How far the clock of the database is ahead of the monotonic clock of this machine. The database read its clock while
 * the beat was under way, so each beat gives a least and a most. The estimate is the largest least: jobs may start late
 * by a round trip, but not early.
 */
export class OffsetEstimate {
  private samples: Sample[] = [];

  /** Adds a beat and returns the estimate. */
  add({ sentAt, confirmedAt, databaseNow }: Beat): number {
    const sample = { least: databaseNow - confirmedAt, most: databaseNow - sentAt };
    // If no offset fits all samples, one of the clocks was set, or has drifted: older samples are wrong.
    const fits = this.samples.every(({ least, most }) => least <= sample.most && sample.least <= most);
    this.samples = fits ? [...this.samples.slice(1 - sampleCount), sample] : [sample];
    return Math.max(...this.samples.map(({ least }) => least));
  }
}
