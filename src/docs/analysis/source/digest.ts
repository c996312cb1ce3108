import { createHash } from "node:crypto";

export function digestOf(content: string): string {
  return createHash("sha1").update(content).digest("base64url");
}
