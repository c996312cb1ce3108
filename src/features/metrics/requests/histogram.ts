import type { VarintReader, VarintWriter } from "../../../lib/varints.ts";

/**
 * Counts durations in buckets of equal relative width. Percentiles are accurate to two percent, from a microsecond to
 * an hour, and histograms can be added.
 *
 * There are 18 buckets per doubling. The exponent of the number selects the doubling. The ten leading bits of its
 * fraction select one of the 18 buckets through a table.
 */
const perDoubling = 18;
const doublings = 32;
const bucketCount = perDoubling * doublings;

const slices = 1_024;
const bucketOfSlice = Uint8Array.from({ length: slices }, (_, slice) =>
  Math.floor(perDoubling * Math.log2(1 + slice / slices)),
);

/** The start of each bucket in microseconds, and the end of the last one. */
const bounds = Float64Array.from({ length: bucketCount + 1 }, (_, index) => {
  const within = index % perDoubling;
  const slice = bucketOfSlice.findIndex((bucket) => bucket >= within);
  return 2 ** Math.floor(index / perDoubling) * (1 + slice / slices);
});

const number = new Float64Array(1);
const halves = new Uint32Array(number.buffer);
// The byte order of the machine determines which half contains the exponent.
number[0] = 1;
const upper = halves[1] === 0 ? 0 : 1;

/** The bucket of a duration. Stored histograms depend on it. */
export function bucketOf(microseconds: number): number {
  if (!(microseconds >= 1)) return 0;
  number[0] = microseconds;
  const bits = halves[upper]!;
  const index = ((bits >>> 20) - 1_023) * perDoubling + bucketOfSlice[(bits >>> 10) & (slices - 1)]!;
  return index < bucketCount ? index : bucketCount - 1;
}

/** Reused by all reads. */
const pairs = new Float64Array(2 * bucketCount);
const scratchGaps = new Float64Array(bucketCount);
const scratchCounts = new Float64Array(bucketCount);

export class Histogram {
  // Only the range in use: most durations of a route are close together, and there are many routes. A year of a busy
  // route exceeds 32 bits.
  private counts: Float64Array = noCounts;
  private first = 0;

  /** Counts a duration in microseconds. */
  add(microseconds: number): void {
    const bucket = bucketOf(microseconds);
    const index = bucket - this.first;
    if (index >= 0 && index < this.counts.length) this.counts[index]!++;
    else this.addTo(bucket, 1);
  }

  merge(other: Histogram): void {
    for (let index = 0; index < other.counts.length; index++) {
      const count = other.counts[index]!;
      if (count > 0) this.addTo(other.first + index, count);
    }
  }

  /** The number of durations. */
  total(): number {
    let total = 0;
    for (const count of this.counts) total += count;
    return total;
  }

  /** The number of durations below a power of two of microseconds, which is always the edge of a bucket. */
  below(powerOfTwo: number): number {
    let total = 0;
    const end = powerOfTwo * perDoubling - this.first;
    for (let index = 0; index < end && index < this.counts.length; index++) total += this.counts[index]!;
    return total;
  }

  /** The number of durations above a value in microseconds. Those in the same bucket are not counted. */
  above(microseconds: number): number {
    let total = 0;
    const start = Math.max(0, bucketOf(microseconds) + 1 - this.first);
    for (let index = start; index < this.counts.length; index++) total += this.counts[index]!;
    return total;
  }

  /**
   * The percentiles for these shares, in microseconds. `undefined` for an empty histogram. The shares must be in
   * ascending order.
   */
  percentiles<const Shares extends readonly number[]>(shares: Shares): number[] | undefined {
    const total = this.total();
    if (total === 0) return undefined;
    const found: number[] = [];
    let seen = 0;
    for (let index = 0; index < this.counts.length && found.length < shares.length; index++) {
      seen += this.counts[index]!;
      while (found.length < shares.length && seen >= Math.max(1, Math.ceil(shares[found.length]! * total))) {
        found.push(middleOf(this.first + index));
      }
    }
    return found;
  }

  clear(): void {
    this.counts.fill(0);
  }

  write(writer: VarintWriter): void {
    let used = 0;
    for (const count of this.counts) if (count > 0) used++;
    writer.number(used);
    let last = 0;
    for (let index = 0; index < this.counts.length; index++) {
      const count = this.counts[index]!;
      if (count === 0) continue;
      writer.number(this.first + index - last);
      writer.number(count);
      last = this.first + index;
    }
  }

  /** Adds a histogram that was written with `write`. */
  read(reader: VarintReader): void {
    const length = reader.number();
    if (length > bucketCount) throw new RangeError("Invalid bucket.");
    reader.numbers(2 * length, pairs);
    for (let index = 0; index < length; index++) {
      scratchGaps[index] = pairs[2 * index]!;
      scratchCounts[index] = pairs[2 * index + 1]!;
    }
    this.addAll(length, scratchGaps, scratchCounts);
  }

  /** Adds a histogram whose distances of buckets and whose numbers of durations were written one after the other. */
  readColumns(length: number, gaps: VarintReader, counts: VarintReader): void {
    if (length > bucketCount) throw new RangeError("Invalid bucket.");
    gaps.numbers(length, scratchGaps);
    counts.numbers(length, scratchCounts);
    this.addAll(length, scratchGaps, scratchCounts);
  }

  /** The buckets with durations, in ascending order. */
  *buckets(): Generator<[bucket: number, count: number]> {
    for (let index = 0; index < this.counts.length; index++)
      if (this.counts[index]! > 0) yield [this.first + index, this.counts[index]!];
  }

  /** Adds durations of one bucket. */
  addTo(bucket: number, count: number): void {
    if (bucket >= bucketCount) throw new RangeError("Invalid bucket.");
    if (bucket < this.first || bucket >= this.first + this.counts.length) this.stretch(bucket);
    this.counts[bucket - this.first]! += count;
  }

  /** Adds durations of several buckets: the distance of each to the one before, and its number of durations. */
  private addAll(length: number, gaps: Float64Array, added: Float64Array): void {
    let last = 0;
    for (let index = 0; index < length; index++) last += gaps[index]!;
    if (last >= bucketCount) throw new RangeError("Invalid bucket.");
    if (length === 0) return;
    // Both ends first, so that the others fit.
    this.addTo(gaps[0]!, 0);
    this.addTo(last, 0);
    const { counts, first } = this;
    let bucket = -first;
    for (let index = 0; index < length; index++) {
      bucket += gaps[index]!;
      counts[bucket]! += added[index]!;
    }
  }

  private stretch(bucket: number): void {
    const isEmpty = this.counts.length === 0;
    const first = Math.max(0, Math.min(isEmpty ? bucket : this.first, bucket - spare));
    const end = Math.min(bucketCount, Math.max(this.first + this.counts.length, bucket + 1 + spare));
    const counts = new Float64Array(end - first);
    if (!isEmpty) counts.set(this.counts, this.first - first);
    this.counts = counts;
    this.first = first;
  }
}

/** Number of spare buckets around a new one, because its neighbours are likely to be used next. */
const spare = 8;
const noCounts = new Float64Array(0);

/** The value with the same relative distance to both ends of a bucket, which minimizes the error. */
function middleOf(bucket: number): number {
  const low = bounds[bucket]!;
  const high = bounds[bucket + 1]!;
  return (2 * low * high) / (low + high);
}
