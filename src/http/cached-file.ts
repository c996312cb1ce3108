import type { RequestEvent } from "./event.ts";

export interface CachedFile {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** In quotes, as it is sent. */
  readonly etag: string;
  /** Whether only the one who asks may keep it. Default false. */
  readonly isPrivate?: boolean;
}

/** Answers with a file whose address stays the same when it changes: the client asks each time whether its copy is good. */
export function answerCached(
  e: RequestEvent<never>,
  { type, body, etag, isPrivate = false }: CachedFile,
): unknown {
  e.setHeader("Cache-Control", isPrivate ? "private, no-cache" : "no-cache");
  e.setHeader("ETag", etag);
  e.setHeader("X-Content-Type-Options", "nosniff");
  if (matches(e.header("if-none-match"), etag)) return e.response.writeHead(304).end();
  return e.bytes(200, type, typeof body === "string" ? Buffer.from(body) : body);
}

/** A proxy that compresses makes a tag weak, and it still names the same content. */
function matches(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false;
  return asked.trim() === "*" || asked.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
