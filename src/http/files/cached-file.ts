import type { RequestEvent } from "../event.ts";

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
  if (matches(e.header("if-none-match"), etag)) return e.response.writeHead(304).end();
  return e.bytes(200, type, typeof body === "string" ? Buffer.from(body) : body);
}

/** Ignores `W/`, because a compressing proxy makes the tag of the same content weak. */
function matches(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false;
  return asked.trim() === "*" || asked.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
