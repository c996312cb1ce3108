import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The digest of a file that cannot be read. */
export const missing = "missing";

export function digestOf(content: string): string {
  return createHash("sha1").update(content).digest("base64url");
}

export function digestOfFile(path: string): string {
  try {
    return digestOf(readFileSync(path, "utf8"));
  } catch {
    return missing;
  }
}
