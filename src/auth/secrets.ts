import crypto, { randomBytes } from "node:crypto";

/** 256 random bits as 43 characters that are safe in URLs, headers and cookies. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

export const secretPattern = "[A-Za-z0-9_-]{43}";

/** The stored form of a secret. 256 bits cannot be guessed, so a fast hash without salt is sufficient. */
export function digest(text: string | Uint8Array): string {
  return crypto.hash("sha256", text, "base64url");
}
