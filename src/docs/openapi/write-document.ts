import { createHash } from "node:crypto";
import { createDocument, type DocumentParts, withoutSources } from "./document.ts";
import type { OpenAPIDocument } from "./types.ts";

export interface DocumentOrder extends Omit<DocumentParts, "findings"> {
  /** Whether it says where in the source things are. */
  readonly showsSources: boolean;
}

/** A document as text with gaps for the host, which is all that differs from one request to the next. */
export interface WrittenDocument {
  readonly pieces: readonly string[];
  readonly digest: string;
}

/** Stands for the host in the parts of a document. No host can be spelled like this. */
export const hostGap = "\u{10FFFD}host\u{10FFFD}";

export function writeDocument(
  { showsSources, ...parts }: DocumentOrder,
  findings?: DocumentParts["findings"],
): WrittenDocument {
  return toText(createDocument({ ...parts, findings }), showsSources);
}

export function toText(document: OpenAPIDocument, showsSources: boolean): WrittenDocument {
  const pieces = JSON.stringify(showsSources ? document : withoutSources(document)).split(hostGap);
  return { pieces, digest: digestOf(pieces.join(hostGap)) };
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
