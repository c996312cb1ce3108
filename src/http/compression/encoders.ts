import { availableParallelism } from "node:os";
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

export type Encoder = zlib.BrotliCompress | zlib.Gzip | zlib.ZstdCompress;

type EncodeCallback = (error: Error | null, encoded: Buffer) => void;

/**
 * Up to this size, a body is compressed immediately: a thread of Node's pool would cost more than it saves. With a single
 * core, it saves nothing, so the limit only bounds the time in which no other request is handled.
 */
export const maxSyncBytes = availableParallelism() > 1 ? 8_192 : 65_536;

/** Compresses a whole body. */
export function encodeSync(encoding: Encoding, body: string | Uint8Array, levels: Levels): Buffer {
  if (encoding === "gzip") return zlib.gzipSync(body, { level: levels.gzip });
  const size = Buffer.byteLength(body);
  if (encoding === "br") return zlib.brotliCompressSync(body, brotliOptions(levels, size));
  return zlib.zstdCompressSync(body, { ...zstdOptions(levels), pledgedSrcSize: size });
}

/** The same, in a thread of Node's pool. */
export function encode(
  encoding: Encoding,
  body: string | Uint8Array,
  levels: Levels,
  done: EncodeCallback,
): void {
  const size = Buffer.byteLength(body);
  if (encoding === "gzip") zlib.gzip(body, { level: levels.gzip }, done);
  else if (encoding === "br") zlib.brotliCompress(body, brotliOptions(levels, size), done);
  else zlib.zstdCompress(body, { ...zstdOptions(levels), pledgedSrcSize: size }, done);
}

/** Creates a stream that compresses. */
export function createEncoder(encoding: Encoding, levels: Levels): Encoder {
  if (encoding === "gzip") return zlib.createGzip({ level: levels.gzip });
  if (encoding === "br") return zlib.createBrotliCompress(brotliOptions(levels));
  return zlib.createZstdCompress(zstdOptions(levels));
}

function brotliOptions({ br }: Levels, size = 0): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return { params: { [BROTLI_PARAM_QUALITY]: br, [BROTLI_PARAM_SIZE_HINT]: size } };
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
