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
  /** Called with every block before its bytes are reused; what it wants to keep it copies. */
  onBlock: ((block: Block) => void) | undefined = undefined;
  private buffer: Buffer = Buffer.allocUnsafe(bufferBytes);
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

  /** Writes a line of ASCII; the caller has escaped what is not. */
  writeAscii(line: string, level: number, time: number): void {
    if (!this.makeRoom(line.length)) return;
    this.position += this.buffer.write(line, this.position, "latin1");
    this.added(level, time);
  }

  /** Writes a line of any text. */
  writeText(line: string, level: number, time: number): void {
    if (!this.makeRoom(Buffer.byteLength(line))) return;
    this.position += this.buffer.write(line, this.position, "utf8");
    this.added(level, time);
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

  private makeRoom(bytes: number): boolean {
    if (this.position + bytes > bufferBytes) this.handOver();
    if (bytes <= bufferBytes) return true;
    this.dropped++;
    return false;
  }

  private added(level: number, time: number): void {
    if (this.count++ === 0) this.firstTime = time;
    this.lastTime = time;
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
