/**
 * Where all records meet, as bytes of JSON lines.
 *
 * They are written into one buffer, in order, and the buffer is handed over whole: to the destination (a file, a pipe,
 * a terminal) and to the store. So a record costs a copy into memory, and the system calls are shared by hundreds.
 * Everything here is bounded: when the destination cannot keep up, whole buffers are dropped and counted.
 */

/** A buffer's worth of records. */
export interface Block {
  /** JSON lines. */
  readonly bytes: Buffer;
  readonly count: number;
  /** The earliest and the latest time of a record in it. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** The highest severity in it. */
  readonly maxLevel: number;
}

export interface Destination {
  /** Takes the bytes and calls back when it no longer needs them. */
  write(bytes: Buffer, release: () => void): void;
  writeSync(bytes: Buffer): void;
  /** Resolves when all that was given is written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface SinkOptions {
  destination: Destination;
  /** How long a record may wait in memory. Default 250 ms. */
  maxDelayMs?: number;
}

const bufferBytes = 524_288;
/** About a thousand request records: what a block costs the store is shared by so many. */
const handOverBytes = 262_144;
/** At most this many buffers are with the destination at once. */
const maxBuffersOut = 16;

export class Sink {
  /** Records lost because the destination could not keep up, or that are larger than a buffer. */
  dropped = 0;
  /** Where the next lines go; another one after each `reserve`. */
  buffer: Buffer = Buffer.allocUnsafe(bufferBytes);
  /** Called with every block before its bytes are reused; what it wants to keep it copies. */
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
  private readonly destination: Destination;
  private readonly maxDelayMs: number;

  constructor({ destination, maxDelayMs = 250 }: SinkOptions) {
    this.destination = destination;
    this.maxDelayMs = maxDelayMs;
  }

  /** Writes a line. One that is larger than a buffer is dropped rather than cut. */
  write(line: string, level: number, time: number): void {
    const bytes = Buffer.byteLength(line);
    if (bytes > bufferBytes) {
      this.dropped++;
      return;
    }
    const start = this.reserve(bytes);
    this.commit(start + this.buffer.write(line, start, "utf8"), level, time);
  }

  /** Makes room for that many bytes, at most half a buffer, and tells where in `buffer` they begin. */
  reserve(bytes: number): number {
    if (this.position + bytes > bufferBytes) this.handOver();
    return this.position;
  }

  /** Hands over what has gathered and resolves when the destination has written it. */
  async flush(): Promise<void> {
    this.handOver();
    await this.destination.flush();
  }

  /** The last resort of a process that is about to end. */
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

  /** Says that a line has been put into `buffer`, up to there. */
  commit(end: number, level: number, time: number): void {
    this.position = end;
    // The machine's clock may be put back between two records.
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
