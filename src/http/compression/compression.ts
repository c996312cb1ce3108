import type { Readable, Writable } from "node:stream";
import type { ObservedResponse } from "../observation/observed-response.ts";
import { addVary } from "../vary.ts";
import { createNegotiation, type Encoding, type RankEncodings } from "./accept-encoding.ts";
import { isOfType } from "./compressible-types.ts";
import { createEncoder, encode, encodeSync, flushWhenIdle, type Levels, maxSyncBytes } from "./encoders.ts";

export interface CompressionSettings {
  /** In the order of preference. */
  readonly encodings: readonly Encoding[];
  readonly minBytes: number;
  readonly types: RegExp;
  readonly levels: Levels;
}

/** A response, as a request event knows it. */
export interface CompressedExchange {
  readonly response: ObservedResponse;
  /** Set while the body is being compressed: the response is complete, although it has not been sent. */
  isComplete: boolean;
}

/** Compresses the responses of the routes that use one `compress()`. */
export class Compression {
  private readonly settings: CompressionSettings;
  private readonly rank: RankEncodings;

  constructor(settings: CompressionSettings) {
    this.settings = settings;
    this.rank = createNegotiation(settings.encodings);
  }

  /** Sends a whole body, compressed if that is worthwhile. */
  respond(exchange: CompressedExchange, status: number, type: string, body: string | Uint8Array): void {
    const { response } = exchange;
    const { levels } = this.settings;
    const size = Buffer.byteLength(body);
    const encoding = this.choose(response, status, type, size);
    if (encoding === undefined) {
      response.respond(status, type, body);
    } else if (response.req.method === "HEAD") {
      // Without a length, because the body is not compressed.
      response.writeHead(status, { "Content-Type": type }).end();
    } else if (size <= maxSyncBytes) {
      response.respond(status, type, encodeSync(encoding, body, levels, size));
    } else {
      exchange.isComplete = true;
      encode(encoding, body, levels, (error, encoded) => {
        if (response.destroyed || response.headersSent) return;
        if (error) response.removeHeader("Content-Encoding");
        response.respond(status, type, error ? body : encoded);
      });
    }
  }

  /** Chooses the encoding of a stream. Sets headers, so call it before `writeHead`. */
  chooseForStream(response: ObservedResponse, status: number, type: string): Encoding | undefined {
    const length = response.getHeader("Content-Length");
    const size = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
    const encoding = this.choose(response, status, type, size);
    if (encoding !== undefined) response.removeHeader("Content-Length");
    return encoding;
  }

  /**
   * Sends a stream through an encoder, which it returns. The data that the stream has produced is flushed when it pauses,
   * so that events arrive in time.
   */
  pipe(
    body: Readable,
    encoding: Encoding,
    response: ObservedResponse,
    onError: (error: unknown) => void,
  ): Writable {
    const encoder = createEncoder(encoding, this.settings.levels);
    encoder.once("error", onError);
    response.once("close", () => encoder.destroy());
    body.pipe(encoder).pipe(response);
    body.on("data", flushWhenIdle(encoder));
    return encoder;
  }

  /** Chooses the encoding and sets the headers that depend on it. */
  private choose(
    response: ObservedResponse,
    status: number,
    type: string,
    size: number,
  ): Encoding | undefined {
    if (status === 204 || isFinal(response)) return undefined;
    const ranked = this.rank(response.req.headers["accept-encoding"]);
    // A client can refuse unchanged bodies: `identity;q=0`.
    const isRequired = ranked.length > 0 && !ranked.includes("identity");
    if (!isRequired && !isOfType(type, this.settings.types)) return undefined;
    addVary(response, "Accept-Encoding");
    const [encoding = "identity"] = ranked;
    const isTooSmall = size < this.settings.minBytes && !isRequired && status !== 304;
    if (encoding === "identity" || isTooSmall || status === 206) return undefined;
    weakenTag(response);
    if (status === 304) return undefined;
    response.removeHeader("Accept-Ranges");
    response.setHeader("Content-Encoding", encoding);
    return encoding;
  }
}

/** Whether the body must be sent as it is: it is encoded already, or the application forbids any change. */
function isFinal(response: ObservedResponse): boolean {
  if (response.hasHeader("Content-Encoding")) return true;
  const control = response.getHeader("Cache-Control");
  return control !== undefined && /(?:^|[\s,])no-transform(?:$|[\s,])/i.test(String(control));
}

/** A strong tag promises the same bytes, but each encoding has its own. */
function weakenTag(response: ObservedResponse): void {
  const tag = response.getHeader("ETag");
  if (typeof tag === "string" && !tag.startsWith("W/")) response.setHeader("ETag", `W/${tag}`);
}
