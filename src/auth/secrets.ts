import { hash, randomBytes } from "node:crypto";

/** 256 random bits as 43 letters that are safe in a URL, a header and a cookie. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

export const secretPattern = "[A-Za-z0-9_-]{43}";

/** What is stored in place of a secret. Nobody can guess 256 bits, so a fast hash without salt keeps them. */
export function digest(text: string | Uint8Array): string {
  return hash("sha256", text, "base64url");
}
