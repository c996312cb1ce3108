import type { RequestEvent } from "./event.ts";

export interface CachedFile {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** In quotes, as it is sent. */
  readonly etag: string;
  /** Who may keep it, and for how long. Default "asking". */
  readonly keeping?: keyof typeof cacheControl;
}

/** A file whose address stays the same when it changes is asked for each time whether the client's copy is good. */
const cacheControl = {
  asking: "no-cache",
  /** As before, and only the one who asks may keep it. */
  private: "private, no-cache",
  /** For a file whose address changes with its content. */
  forever: "public, max-age=31536000, immutable",
} as const;

/** Answers with a file, or with the news that the client's copy of it is good. */
export function answerCached(
  e: RequestEvent<never>,
  { type, body, etag, keeping = "asking" }: CachedFile,
): unknown {
  e.setHeader("Cache-Control", cacheControl[keeping]);
  e.setHeader("ETag", etag);
  if (matches(e.header("if-none-match"), etag)) return e.response.writeHead(304).end();
  return e.bytes(200, type, typeof body === "string" ? Buffer.from(body) : body);
}

/** A proxy that compresses makes a tag weak, and it still names the same content. */
function matches(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false;
  return asked.trim() === "*" || asked.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
