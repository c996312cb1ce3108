// As a namespace: Node 20 has no crc32, and should get as far as the message that it is too old.
import * as zlib from "node:zlib";

/**
 * A gzip stream made of parts that are compressed once and sent to many clients. Each part ends with a full flush, so
 * it does not depend on the parts before it, which differ between clients.
 */
export class SharedGzip {
  private checksum = 0;
  private size = 0;

  /** The beginning of the stream: no name, no time, unknown operating system. */
  static readonly header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

  /** Compresses a part. The result can be sent in any stream. */
  static pack(text: string): Buffer {
    return zlib.deflateRawSync(text, { finishFlush: zlib.constants.Z_FULL_FLUSH });
  }

  /** Counts a part that was sent in this stream. */
  add(text: string): void {
    this.checksum = zlib.crc32(text, this.checksum);
    this.size += Buffer.byteLength(text);
  }

  /** The end of the stream: an empty last block, the checksum and the size. */
  end(): Buffer {
    const trailer = Buffer.alloc(10);
    trailer.writeUInt16LE(3, 0);
    trailer.writeUInt32LE(this.checksum, 2);
    trailer.writeUInt32LE(this.size % 2 ** 32, 6);
    return trailer;
  }
}
