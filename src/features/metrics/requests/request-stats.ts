import type { FinishedRequest } from "../../../http/index.ts";
import type { VarintReader, VarintWriter } from "../../../lib/varints.ts";
import { Histogram } from "./histogram.ts";

/** Metrics of requests: of one route in one second, or of all routes in a month. */
export class RequestStats {
  count = 0;
  /** Number of responses by status class. */
  readonly classes: Float64Array = new Float64Array(6);
  /** Requests whose client disconnected before the response. They are included in 4xx, as 499. */
  aborted = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** Total duration in microseconds. */
  totalUs = 0;
  longestUs = 0;
  readonly durations: Histogram = new Histogram();

  add({ statusCode, durationMs, contentLength, bytesSent, aborted }: FinishedRequest): void {
    this.count++;
    const microseconds = durationMs * 1_000;
    const hundreds = (statusCode / 100) | 0;
    this.classes[hundreds >= 1 && hundreds <= 5 ? hundreds : 5]!++;
    if (aborted) this.aborted++;
    // The declared length is set by the client and can be any value.
    if (contentLength > 0 && contentLength < largestLength) this.bytesIn += contentLength;
    this.bytesOut += bytesSent;
    this.totalUs += microseconds;
    if (microseconds > this.longestUs) this.longestUs = microseconds;
    this.durations.add(microseconds);
  }

  merge(other: RequestStats): void {
    this.count += other.count;
    for (let index = 1; index < 6; index++) this.classes[index]! += other.classes[index]!;
    this.aborted += other.aborted;
    this.bytesIn += other.bytesIn;
    this.bytesOut += other.bytesOut;
    this.totalUs += other.totalUs;
    this.longestUs = Math.max(this.longestUs, other.longestUs);
    this.durations.merge(other.durations);
  }

  clear(): void {
    this.count = 0;
    this.classes.fill(0);
    this.aborted = 0;
    this.bytesIn = 0;
    this.bytesOut = 0;
    this.totalUs = 0;
    this.longestUs = 0;
    this.durations.clear();
  }

  write(writer: VarintWriter): void {
    for (let index = 1; index < 6; index++) writer.number(this.classes[index]!);
    writer.number(this.aborted);
    writer.number(this.bytesIn);
    writer.number(this.bytesOut);
    writer.number(Math.round(this.totalUs));
    writer.number(Math.round(this.longestUs));
    this.durations.write(writer);
  }

  /** Adds encoded stats. */
  read(reader: VarintReader): void {
    for (let index = 1; index < 6; index++) {
      const count = reader.number();
      this.classes[index]! += count;
      this.count += count;
    }
    this.aborted += reader.number();
    this.bytesIn += reader.number();
    this.bytesOut += reader.number();
    this.totalUs += reader.number();
    this.longestUs = Math.max(this.longestUs, reader.number());
    this.durations.read(reader);
  }
}

const largestLength = 2 ** 40;
