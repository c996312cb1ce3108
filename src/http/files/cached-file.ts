import type { RequestEvent } from "../event.ts";
import { includesTag } from "./entity-tags.ts";

export interface CachedFile {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** The value of the ETag header, including the quotes. */
  readonly etag: string;
  /** Which caches may store the file, and for how long. Default "asking". */
  readonly keeping?: keyof typeof cacheControl;
}

const cacheControl = {
  /** For a file whose URL stays the same when its content changes: caches must revalidate it. */
  asking: "no-cache",
  /** The same, but only the client may store the file. */
  private: "private, no-cache",
  /** For a file whose URL changes with its content. */
  forever: "public, max-age=31536000, immutable",
} as const;

/** Sends a file, or `304` if the client's copy is current. */
export function sendCached(
  e: RequestEvent<never>,
  { type, body, etag, keeping = "asking" }: CachedFile,
): unknown {
  e.setHeader("Cache-Control", cacheControl[keeping]);
  e.setHeader("ETag", etag);
  const known = e.header("if-none-match");
  if (known !== undefined && includesTag(known, etag)) return e.bytes(304, type, Buffer.alloc(0));
  return e.bytes(200, type, typeof body === "string" ? Buffer.from(body) : body);
}
