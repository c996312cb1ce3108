/**
 * Collects all records as JSON lines.
 *
 * Records are written in order into one buffer, which is handed over as a whole to the destination (a file, a pipe, a
 * terminal) and to the store. A record costs one copy in memory, and hundreds of records share a system call. Memory is
 * bounded: if the destination is too slow, whole buffers are dropped and counted.
 */

/** A buffer of records. */
export interface Block {
  /** JSON lines. */
  readonly bytes: Buffer;
  readonly count: number;
  /** Earliest and latest time of a record in the block. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** Highest severity in the block. */
  readonly maxLevel: number;
}

export interface Destination {
  /** Takes the bytes and calls `release` when it no longer needs them. */
  write(bytes: Buffer, release: () => void): void;
  writeSync(bytes: Buffer): void;
  /** Resolves when all bytes have been written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface SinkOptions {
  destination: Destination;
  /** Maximum time a record stays in memory. Default 250 ms. */
  maxDelayMs?: number;
}

const bufferBytes = 524_288;
/** About a thousand request records, which share the cost of storing a block. */
const handOverBytes = 262_144;
/** Maximum number of buffers held by the destination. */
const maxBuffersOut = 16;

export class Sink {
  /** Records dropped because the destination was too slow or because they are larger than a buffer. */
  dropped = 0;
  /** Buffer for the next lines. It can change with each call of `reserve`. */
  buffer: Buffer = Buffer.allocUnsafe(bufferBytes);
  /** Called with each block before its memory is reused; must copy data that it needs later. */
  onBlock: ((block: Block) => void) | undefined = undefined;
  private position = 0;
  private count = 0;
  private firstTime = 0;
  private lastTime = 0;
  private maxLevel = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private readonly spare: Buffer[] = [];
  private buffersOut = 0;
  private closed = false;
  private destination: Destination;
  private readonly maxDelayMs: number;

  constructor({ destination, maxDelayMs = 250 }: SinkOptions) {
    this.destination = destination;
    this.maxDelayMs = maxDelayMs;
  }

  /** Writes a line. Lines larger than a buffer are dropped, not truncated. */
  write(line: string, level: number, time: number): void {
    const bytes = Buffer.byteLength(line);
    if (bytes > bufferBytes) {
      this.dropped++;
      return;
    }
    const start = this.reserve(bytes);
    this.commit(start + this.buffer.write(line, start, "utf8"), level, time);
  }

  /** Reserves space for up to half a buffer. Returns the offset in `buffer`. */
  reserve(bytes: number): number {
    if (this.position + bytes > bufferBytes) this.handOver();
    return this.position;
  }

  /** Hands over the buffered records. Resolves when the destination has written them. */
  async flush(): Promise<void> {
    this.handOver();
    await this.destination.flush();
  }

  /** Writes synchronously, for a process that is about to exit. */
  flushSync(): void {
    if (this.position > 0) this.destination.writeSync(this.buffer.subarray(0, this.position));
    this.position = 0;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    await this.flush();
    this.closed = true;
    await this.destination.close();
  }

  /** After `close`: hands further records to another destination, and to no store. */
  continueOn(destination: Destination): void {
    this.destination = destination;
    this.onBlock = undefined;
    this.closed = false;
  }

  /** Marks a line as written to `buffer`, up to `end`. */
  commit(end: number, level: number, time: number): void {
    this.position = end;
    // The system clock may be set back between two records.
    if (this.count++ === 0) this.firstTime = this.lastTime = time;
    else if (time > this.lastTime) this.lastTime = time;
    else if (time < this.firstTime) this.firstTime = time;
    if (level > this.maxLevel) this.maxLevel = level;
    if (this.position >= handOverBytes) this.handOver();
    else this.timer ??= setTimeout(() => this.handOver(), this.maxDelayMs).unref();
  }

  private handOver(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.position === 0) return;
    const { buffer, count, firstTime, lastTime, maxLevel } = this;
    const bytes = buffer.subarray(0, this.position);
    this.position = 0;
    this.count = 0;
    this.maxLevel = Number.NEGATIVE_INFINITY;
    this.onBlock?.({ bytes, count, firstTime, lastTime, maxLevel });
    if (this.closed || this.buffersOut >= maxBuffersOut) {
      this.dropped += count;
      return;
    }
    this.buffersOut++;
    this.buffer = this.spare.pop() ?? Buffer.allocUnsafe(bufferBytes);
    this.destination.write(bytes, () => {
      this.buffersOut--;
      this.spare.push(buffer);
    });
  }
}
