import { refuseUnknown } from "../../lib/options/only-known.ts";
import type { Encoding } from "../compression/accept-encoding.ts";
import { compressibleTypes } from "../compression/compressible-types.ts";
import { Compression } from "../compression/compression.ts";
import { defaultLevels, levelRanges } from "../compression/encoders.ts";
import type { MiddlewareHandler } from "../handler.ts";

/** Options of `compress`. */
export interface CompressOptions {
  /**
   * The encodings to use. The first one wins if a client accepts several equally. Default `["zstd", "br", "gzip"]`.
   */
  encodings?: readonly ("br" | "gzip" | "zstd")[];
  /** Smaller responses are not compressed. Streams of unknown length are. Default 1,024. */
  minBytes?: number;
  /**
   * The content types to compress, compared without parameters and in lower case. Default: text, JSON, XML, JavaScript,
   * WebAssembly, SVG and fonts, but not `text/event-stream`.
   */
  types?: RegExp;
  /** Compression levels: higher ones are smaller and slower. Default `{ br: 4, gzip: 6, zstd: 3 }`. */
  levels?: { br?: number; gzip?: number; zstd?: number };
}

/**
 * Middleware that compresses responses for clients that accept it.
 *
 * ```ts
 * router.bind(compress());
 * ```
 */
export function compress(options: CompressOptions = {}): MiddlewareHandler {
  refuseUnknown<CompressOptions>("compress", options, {
    encodings: true,
    minBytes: true,
    types: true,
    levels: true,
  });
  const { encodings = ["zstd", "br", "gzip"], minBytes = 1_024, types = compressibleTypes } = options;
  const levels = { ...defaultLevels, ...options.levels };
  checkEncodings(encodings);
  checkLevels(levels);
  if (!(minBytes >= 0)) throw new TypeError(`compress expects minBytes of at least 0, got ${minBytes}.`);
  if (!(types instanceof RegExp)) {
    throw new TypeError(`compress expects a regular expression for types, such as /^text\\//.`);
  }
  const compression = new Compression({ encodings, minBytes, types, levels });
  return {
    id: "compress",
    documents: {
      bodyHeaders: {
        "Content-Encoding": `The encoding, if the body is compressed: ${encodings.join(", ")}.`,
        Vary: "Contains Accept-Encoding if the encoding depends on it.",
      },
    },
    func(e) {
      e.compression = compression;
      return e.next();
    },
  };
}

const isEncoding = (name: unknown): name is Encoding => Object.hasOwn(levelRanges, String(name));

function checkEncodings(encodings: readonly unknown[]): void {
  const wrong = encodings.find((name) => !isEncoding(name));
  if (wrong !== undefined || encodings.length === 0) {
    const given = wrong === undefined ? "none" : JSON.stringify(wrong);
    throw new TypeError(`compress expects the encodings "br", "gzip" and "zstd", got ${given}.`);
  }
}

function checkLevels(levels: Readonly<Record<string, unknown>>): void {
  for (const [name, level] of Object.entries(levels)) {
    if (!isEncoding(name)) throw new TypeError(`compress has no level for the encoding "${name}".`);
    const [least, most] = levelRanges[name];
    if (!(Number.isInteger(level) && Number(level) >= least && Number(level) <= most)) {
      throw new TypeError(`compress expects a ${name} level from ${least} to ${most}, got ${String(level)}.`);
    }
  }
}
