import { brotliCompressSync, brotliDecompressSync, deflateRawSync, inflateRawSync } from "node:zlib";
import { VarintReader, VarintWriter } from "../../../lib/varints.ts";
import { bucketOf, type Histogram } from "../requests/histogram.ts";
import type { RequestStats } from "../requests/request-stats.ts";

/** What the row of a day stores compressed. */
export interface PackedBody {
  /** JSON of the slowest requests. */
  readonly text: string;
  readonly routes: readonly (readonly [number: number, stats: RequestStats])[];
}

/**
 * Rows of earlier releases begin with the number of a name, which is at least 1. An instance of an earlier release takes
 * the start of a packed row for a route with an invalid bucket: it fails instead of merging a row that it cannot read.
 */
const header = Uint8Array.of(0, ...Array.from({ length: 11 }, () => 0), 1, 0xff, 0x7f, 1);

const deflate = (bytes: Uint8Array) => deflateRawSync(bytes);
/** Most bodies fit into one chunk. More of them cost a fifth more time. */
const inflate = (bytes: Uint8Array) => inflateRawSync(bytes, { chunkSize: 65_536 });
const codecs = {
  deflate: { id: 1, pack: deflate, unpack: inflate },
  /** Of hours and days that an earlier release wrote. */
  brotli: { id: 2, pack: (bytes: Uint8Array) => brotliCompressSync(bytes), unpack: brotliDecompressSync },
  /** Rows of blocks. Earlier releases must not take their content for that of a slot. */
  block: { id: 3, pack: deflate, unpack: inflate },
} as const;

export type Codec = keyof typeof codecs;

export const isPackedBytes = (bytes: Uint8Array): boolean => bytes[0] === 0;

/** Nothing remains nothing. */
export function packBytes(bytes: Uint8Array, name: Codec): Uint8Array {
  if (bytes.length === 0) return bytes;
  const codec = codecs[name];
  return Buffer.concat([header, Uint8Array.of(codec.id), codec.pack(bytes)]);
}

export function unpackBytes(bytes: Uint8Array): Uint8Array {
  const id = bytes[header.length];
  const codec = Object.values(codecs).find((each) => each.id === id);
  if (!codec) throw new RangeError("Unknown compression.");
  return codec.unpack(bytes.subarray(header.length + 1));
}

export function packBody({ text, routes }: PackedBody, codec: Codec): Uint8Array {
  if (text === "" && routes.length === 0) return new Uint8Array(0);
  const columns = new Columns();
  let last = 0;
  for (const [number, stats] of routes.toSorted(([one], [other]) => one - other)) {
    columns.numbers.number(number - last);
    last = number;
    writeStats(stats, columns);
  }
  return packBytes(columns.join(text), codec);
}

export function readPackedText(bytes: Uint8Array): string {
  return Buffer.from(new VarintReader(unpackBytes(bytes)).piece()).toString("utf8");
}

export function readPackedRoutes(
  bytes: Uint8Array,
  statsFor: (route: number) => RequestStats | undefined,
): void {
  const columns = ColumnReaders.of(unpackBytes(bytes));
  let number = 0;
  while (!columns.numbers.isAtEnd) {
    number += columns.numbers.number();
    readStats(columns, statsFor(number));
  }
}

/** The same value of all routes is stored together: similar bytes next to each other compress better. */
const columnNames = [
  "numbers",
  "shapes",
  "counts",
  "bytesOut",
  "totals",
  "longest",
  "used",
  "gaps",
  "buckets",
] as const;
type ColumnName = (typeof columnNames)[number];

export class Columns implements Record<ColumnName, VarintWriter> {
  readonly numbers = new VarintWriter();
  readonly shapes = new VarintWriter();
  readonly counts = new VarintWriter();
  readonly bytesOut = new VarintWriter();
  readonly totals = new VarintWriter();
  readonly longest = new VarintWriter();
  readonly used = new VarintWriter();
  readonly gaps = new VarintWriter();
  readonly buckets = new VarintWriter();

  join(text: string): Uint8Array {
    const all = new VarintWriter(8_192);
    all.piece(Buffer.from(text));
    for (const name of columnNames) all.piece(this[name].take());
    return all.take();
  }
}

export class ColumnReaders implements Record<ColumnName, VarintReader> {
  readonly numbers: VarintReader;
  readonly shapes: VarintReader;
  readonly counts: VarintReader;
  readonly bytesOut: VarintReader;
  readonly totals: VarintReader;
  readonly longest: VarintReader;
  readonly used: VarintReader;
  readonly gaps: VarintReader;
  readonly buckets: VarintReader;

  /** Reads what was joined. */
  static of(bytes: Uint8Array): ColumnReaders {
    const reader = new VarintReader(bytes);
    reader.skipPiece();
    return new ColumnReaders(reader);
  }

  /** The pieces must be read in the order in which they were written. */
  private constructor(reader: VarintReader) {
    const next = () => new VarintReader(reader.piece());
    this.numbers = next();
    this.shapes = next();
    this.counts = next();
    this.bytesOut = next();
    this.totals = next();
    this.longest = next();
    this.used = next();
    this.gaps = next();
    this.buckets = next();
  }
}

/** In a shape: the durations follow from the longest and the total, because there are only one or two. */
const hasImpliedDurations = 1;
/** In a shape: the bits of the counts that are not zero. Most routes have two or three of them. */
const firstCountBit = 2;

const countsOf = ({ classes, aborted, bytesIn }: RequestStats) => [
  classes[2]!,
  classes[4]!,
  classes[5]!,
  classes[3]!,
  classes[1]!,
  aborted,
  bytesIn,
];

export function writeStats(stats: RequestStats, columns: Columns): void {
  const counts = countsOf(stats);
  const totalUs = Math.round(stats.totalUs);
  const longestUs = Math.round(stats.longestUs);
  const implied = impliedBuckets(stats.count, totalUs, longestUs);
  const isImplied = implied !== undefined && isSame(stats.durations, implied);
  let shape = isImplied ? hasImpliedDurations : 0;
  counts.forEach((count, index) => {
    if (count > 0) shape |= firstCountBit << index;
  });
  columns.shapes.number(shape);
  for (const count of counts) if (count > 0) columns.counts.number(count);
  columns.bytesOut.number(stats.bytesOut);
  columns.totals.number(totalUs);
  if (!isImplied || stats.count > 1) columns.longest.number(longestUs);
  if (!isImplied) writeDurations(stats.durations, columns);
}

function writeDurations(durations: Histogram, { used, gaps, buckets }: Columns): void {
  const all = [...durations.buckets()];
  used.number(all.length);
  let last = 0;
  for (const [bucket, count] of all) {
    gaps.number(bucket - last);
    buckets.number(count);
    last = bucket;
  }
}

/** The buckets of one or two durations; undefined if their total and longest do not determine them. */
function impliedBuckets(count: number, totalUs: number, longestUs: number): number[] | undefined {
  if (count === 1 && totalUs === longestUs) return [bucketOf(longestUs)];
  if (count === 2) return [bucketOf(longestUs), bucketOf(totalUs - longestUs)];
  return undefined;
}

/** Rounding can move a duration to the next bucket. */
function isSame(durations: Histogram, implied: readonly number[]): boolean {
  const actual = [...durations.buckets()].flatMap(([bucket, count]) =>
    Array.from({ length: Math.min(count, 3) }, () => bucket),
  );
  const wanted = implied.toSorted((one, other) => one - other);
  return actual.length === wanted.length && actual.every((bucket, index) => bucket === wanted[index]);
}

/** Adds the next stats to `into`. Without it, they are skipped. */
export function readStats(columns: ColumnReaders, into: RequestStats | undefined): void {
  const shape = columns.shapes.number();
  const next = (index: number) => ((shape & (firstCountBit << index)) === 0 ? 0 : columns.counts.number());
  const ok = next(0);
  const refused = next(1);
  const failed = next(2);
  const redirected = next(3);
  const informed = next(4);
  const aborted = next(5);
  const bytesIn = next(6);
  const count = ok + refused + failed + redirected + informed;
  const isImplied = (shape & hasImpliedDurations) !== 0;
  const bytesOut = columns.bytesOut.number();
  const totalUs = columns.totals.number();
  const longestUs = isImplied && count === 1 ? totalUs : columns.longest.number();
  if (!isImplied) readDurations(columns, into?.durations);
  if (!into) return;
  into.count += count;
  into.classes[1]! += informed;
  into.classes[2]! += ok;
  into.classes[3]! += redirected;
  into.classes[4]! += refused;
  into.classes[5]! += failed;
  into.aborted += aborted;
  into.bytesIn += bytesIn;
  into.bytesOut += bytesOut;
  into.totalUs += totalUs;
  into.longestUs = Math.max(into.longestUs, longestUs);
  if (isImplied)
    for (const bucket of impliedBuckets(count, totalUs, longestUs)!) into.durations.addTo(bucket, 1);
}

function readDurations({ used, gaps, buckets }: ColumnReaders, into: Histogram | undefined): void {
  const count = used.number();
  if (!into) {
    gaps.skip(count);
    buckets.skip(count);
    return;
  }
  into.readColumns(count, gaps, buckets);
}
