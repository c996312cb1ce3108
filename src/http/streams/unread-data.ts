/** What a message that waits costs besides its text, as measured: buffers, and entries of queues. */
const messageBytes = 256;

/**
 * What waits for the client of a stream, because it has not read it yet. Each message counts by its memory, because
 * millions of small ones would fill memory long before their text does.
 */
export class UnreadData {
  private readonly maxBytes: number;
  private readonly bytes: () => number;
  private sent = 0;
  private written = 0;
  /** Number of messages that were sent when nothing waited. Their callbacks may be called later. */
  private settled = 0;

  /** `bytes`: the size of the data that waits. */
  constructor(maxBytes: number, bytes: () => number) {
    this.maxBytes = maxBytes;
    this.bytes = bytes;
  }

  /** Whether the client is so far behind that it gets nothing more. */
  isOver(): boolean {
    const bytes = this.bytes();
    if (bytes === 0) this.settled = this.sent;
    const waiting = this.sent - Math.max(this.written, this.settled);
    return bytes + waiting * messageBytes > this.maxBytes;
  }

  /** Counts a message. Call the result once, when the message no longer waits. */
  add(): () => void {
    this.sent++;
    return this.onWritten;
  }

  private readonly onWritten = (): void => {
    this.written++;
  };
}
