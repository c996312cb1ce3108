import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";

/** Reads of 64 KB cost a fifth more CPU time. Larger ones need more memory for each slow client. */
const chunkBytes = 131_072;

/**
 * A part of an open file, as a stream that closes the file. If the file has become shorter, the stream fails, so that
 * the client does not take the part for complete.
 */
export class FilePart extends Readable {
  private readonly handle: FileHandle;
  private readonly last: number;
  private next: number;

  constructor(handle: FileHandle, { first, last }: ByteRange) {
    super({ highWaterMark: chunkBytes });
    this.handle = handle;
    this.next = first;
    this.last = last;
  }

  override _read(): void {
    const length = Math.min(chunkBytes, this.last - this.next + 1);
    this.handle.read(Buffer.allocUnsafeSlow(length), 0, length, this.next).then(
      ({ buffer, bytesRead }) => {
        if (this.destroyed) return;
        if (bytesRead === 0) {
          this.destroy(new Error("The file became shorter while it was being sent."));
          return;
        }
        this.next += bytesRead;
        this.push(bytesRead === length ? buffer : buffer.subarray(0, bytesRead));
        if (this.next > this.last) this.push(null);
      },
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // Waits for a read in progress.
    this.handle.close().then(
      () => callback(error),
      (problem: Error) => callback(error ?? problem),
    );
  }
}
