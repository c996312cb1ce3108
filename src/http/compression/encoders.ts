import { availableParallelism } from "node:os";
import type { Transform } from "node:stream";
// As a namespace: old versions of Node have no zstd, and should get as far as the message that they are too old.
import * as zlib from "node:zlib";
import type { Encoding } from "./accept-encoding.ts";

/** Compression levels by encoding. */
export type Levels = Readonly<Record<Encoding, number>>;

/** The range of each level. */
export const levelRanges: Readonly<Record<Encoding, readonly [least: number, most: number]>> = {
  br: [0, 11],
  gzip: [1, 9],
  zstd: [1, 22],
};

/** For responses that are compressed on every request: more would cost much time for a few percent of size. */
export const defaultLevels: Levels = { br: 4, gzip: 6, zstd: 3 };

/** Not `zlib.ZstdCompress`, which the declarations of Node 20 lack. */
export type Encoder = Transform & zlib.Zlib;

type EncodeCallback = (error: Error | null, encoded: Buffer) => void;

/**
 * Up to this size, a body is compressed immediately: a thread of Node's pool would cost more than it saves. With a single
 * core, it saves nothing, so the limit only bounds the time in which no other request is handled.
 */
export const maxSyncBytes = availableParallelism() > 1 ? 8_192 : 65_536;

/**
 * Compresses a whole body of the given size, at most `maxSyncBytes`. Allocates little: V8 counts the memory of buffers and
 * collects the whole heap too often if every response has large ones.
 */
export function encodeSync(
  encoding: Encoding,
  body: string | Uint8Array,
  levels: Levels,
  size: number,
): Buffer {
  const bytes = typeof body === "string" ? toScratch(body, size) : body;
  const chunkSize = Math.max(1_024, size >> 2);
  if (encoding === "gzip") return zlib.gzipSync(bytes, { level: levels.gzip, chunkSize, ...fitMemory(size) });
  if (encoding === "br") return zlib.brotliCompressSync(bytes, { chunkSize, ...brotliOptions(levels) });
  return zlib.zstdCompressSync(bytes, { chunkSize, ...zstdOptions(levels) });
}

let scratch: Buffer | undefined;

/** Valid until the next call. */
function toScratch(text: string, size: number): Uint8Array {
  scratch ??= Buffer.allocUnsafeSlow(maxSyncBytes);
  return scratch.subarray(0, scratch.write(text, 0, size));
}

/** The same, in a thread of Node's pool. */
export function encode(
  encoding: Encoding,
  body: string | Uint8Array,
  levels: Levels,
  done: EncodeCallback,
): void {
  if (encoding === "gzip") zlib.gzip(body, { level: levels.gzip }, done);
  else if (encoding === "br") zlib.brotliCompress(body, brotliOptions(levels), done);
  else zlib.zstdCompress(body, zstdOptions(levels), done);
}

/** Creates a stream that compresses. */
export function createEncoder(encoding: Encoding, levels: Levels): Encoder {
  if (encoding === "gzip") return zlib.createGzip({ level: levels.gzip });
  if (encoding === "br") return zlib.createBrotliCompress(brotliOptions(levels));
  return zlib.createZstdCompress(zstdOptions(levels));
}

/**
 * The memory that gzip needs for a body of this size. The result is the same as with the default, which is 256 KB. For a
 * body of 7 KB, preparing those takes a third of the time.
 */
function fitMemory(size: number): zlib.ZlibOptions {
  const { Z_MIN_WINDOWBITS, Z_MAX_WINDOWBITS, Z_MIN_MEMLEVEL, Z_DEFAULT_MEMLEVEL } = zlib.constants;
  // A match can start this many bytes after the start of the window.
  const reach = 262;
  const windowBits = Math.ceil(Math.log2(size + reach));
  const memLevel = Math.ceil(Math.log2(size)) - 6;
  return {
    windowBits: Math.min(Math.max(windowBits, Z_MIN_WINDOWBITS + 1), Z_MAX_WINDOWBITS),
    memLevel: Math.min(Math.max(memLevel, Z_MIN_MEMLEVEL), Z_DEFAULT_MEMLEVEL),
  };
}

function brotliOptions({ br }: Levels): zlib.BrotliOptions {
  return { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: br } };
}

function zstdOptions({ zstd }: Levels): zlib.ZstdOptions {
  return { params: { [zlib.constants.ZSTD_c_compressionLevel]: zstd } };
}

/** Sends everything that has been written so far, when no more data follows immediately. */
export function flushWhenIdle(encoder: Encoder): () => void {
  // A full flush, which is the default of gzip, would discard the dictionary.
  const kind = encoder instanceof zlib.Gzip ? zlib.constants.Z_SYNC_FLUSH : undefined;
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    if (!encoder.destroyed && !encoder.writableEnded) encoder.flush(kind);
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  };
}
