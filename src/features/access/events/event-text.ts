import type { AccessEvent, AccessKind } from "../../../auth/index.ts";

/** An event with short text that is safe to store, log and display. */
export interface CleanEvent {
  readonly kind: AccessKind;
  readonly account: string | null;
  readonly actor: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly traceId: string | null;
  readonly detail: string | null;
}

/** Maximum length of an email address, and therefore of a stored name. */
const longestName = 254;
const longestAddress = 64;
const longestText = 300;

/**
 * Sanitizes the text of an event. The attempted name and the user agent come from the client and must not bring line
 * breaks, escape sequences or bidirectional overrides into a log, a terminal or a page.
 */
export function cleanEvent({ kind, account, actor, origin, detail }: AccessEvent): CleanEvent {
  return {
    kind,
    account: cleanText(account, longestName),
    actor: cleanText(actor, longestName),
    address: cleanText(origin?.address, longestAddress),
    agent: cleanText(origin?.agent, longestText),
    traceId: cleanText(origin?.traceId, longestAddress),
    detail: cleanText(detail, longestText),
  };
}

/** Control and format characters, lone surrogates, and line and paragraph separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

export function cleanText(text: string | undefined, most: number): string | null {
  if (text === undefined) return null;
  // Four times the limit is enough input, unless the text is mostly unprintable.
  const printable = text.slice(0, most * 4).replace(unprintable, "");
  const short = printable.trim().slice(0, most).toWellFormed();
  // A copy, because a slice would keep the whole string in memory, which may be a request body.
  return short === "" ? null : Buffer.from(short).toString();
}
