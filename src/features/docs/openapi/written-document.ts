import { createHash } from "node:crypto";
import type { DocumentParts } from "./document.ts";

export type DocumentOrder = Omit<DocumentParts, "findings">;

/** A document as text with gaps for the host, the only part that differs between requests. */
export interface WrittenDocument {
  readonly pieces: readonly string[];
  readonly digest: string;
}

/** A placeholder for the host. It cannot occur in a real host, and the text remains a one-byte string in memory. */
export const hostGap = "\u00ff\u00fehost\u00fe\u00ff";

export function splitAtHost(text: string): WrittenDocument {
  return { pieces: text.split(hostGap), digest: digestOf(text) };
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
