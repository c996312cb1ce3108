import { createHash, timingSafeEqual } from "node:crypto";

/** Compares a token with the expected one. Without an expected token, none is valid. */
export function isScrapeToken(given: string, expected: string | undefined): boolean {
  return expected !== undefined && timingSafeEqual(digest(given), digest(expected));
}

/** Digests have equal lengths, so comparing them does not reveal the length of the token. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
