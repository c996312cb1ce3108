import type { IncomingHttpHeaders } from "node:http";
import { includesStrongTag, includesTag } from "../files/entity-tags.ts";

/** What identifies one state of a file. */
export interface Validators {
  readonly etag: string;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly modified: number;
  /** The same as the value of a header. */
  readonly lastModified: string;
}

/**
 * Evaluates the conditions of a GET or HEAD request, in the order of RFC 9110, section 13.2.2. "failed" means `412`, and
 * "unchanged" means `304`.
 */
export function evaluateConditions(
  headers: IncomingHttpHeaders,
  { etag, modified }: Validators,
): "failed" | "unchanged" | "met" {
  const match = headers["if-match"];
  if (match !== undefined) {
    if (!includesStrongTag(match, etag)) return "failed";
  } else if (modified > parseDate(headers["if-unmodified-since"])) {
    return "failed";
  }
  const noneMatch = headers["if-none-match"];
  if (noneMatch !== undefined) return includesTag(noneMatch, etag) ? "unchanged" : "met";
  return modified <= parseDate(headers["if-modified-since"]) ? "unchanged" : "met";
}

/** Whether a Range header applies, by If-Range: only if the client's part certainly belongs to the same file. */
export function isRangeCurrent(ifRange: string | undefined, { etag, lastModified }: Validators): boolean {
  if (ifRange === undefined) return true;
  return !etag.startsWith("W/") && (ifRange === etag || ifRange === lastModified);
}

/** NaN for missing and malformed dates. Comparisons with it are false. */
function parseDate(header: string | undefined): number {
  return header === undefined ? Number.NaN : Date.parse(header);
}
