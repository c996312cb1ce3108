import { createHash } from "node:crypto";
import type { DocumentParts } from "./document.ts";

export type DocumentOrder = Omit<DocumentParts, "findings">;

/** A document as text with gaps for the host, which is all that differs from one request to the next. */
export interface WrittenDocument {
  readonly pieces: readonly string[];
  readonly digest: string;
}

/** Stands for the host in the parts of a document. No host is spelled like this, and the text stays one byte a letter. */
export const hostGap = "\u00ff\u00fehost\u00fe\u00ff";

export function splitAtHost(text: string): WrittenDocument {
  return { pieces: text.split(hostGap), digest: digestOf(text) };
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
