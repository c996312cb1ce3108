import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsGzip } from "../compression/accept-encoding.ts";
import type { RequestEvent } from "../event.ts";
import { type CachedFile, sendCached } from "./cached-file.ts";

/** A public file of the package, with its compressed copy. */
export interface StaticFile {
  readonly plain: CachedFile;
  /** Compressed once. About a quarter of the size. */
  readonly gzipped: CachedFile;
}

export async function createStaticFile(
  body: Uint8Array,
  { type, keeping = "asking" }: Pick<CachedFile, "type" | "keeping">,
): Promise<StaticFile> {
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 16);
  const compressed = await promisify(gzip)(body, { level: 9 });
  return {
    plain: { type, keeping, body, etag: `"${digest}"` },
    gzipped: { type, keeping, body: compressed, etag: `"${digest}-gzip"` },
  };
}

/** Sends the file, compressed if the client supports it. Only pages of the same origin can load it. */
export function sendStatic(e: RequestEvent<never>, { plain, gzipped }: StaticFile): unknown {
  const isGzip = acceptsGzip(e.header("accept-encoding"));
  e.setHeader("Vary", "Accept-Encoding");
  e.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  if (isGzip) e.setHeader("Content-Encoding", "gzip");
  return sendCached(e, isGzip ? gzipped : plain);
}
