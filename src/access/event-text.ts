import type { AccessEvent, AccessKind } from "../auth/index.ts";

/** An event whose text is safe to store, log and display, and short. */
export interface CleanEvent {
  readonly kind: AccessKind;
  readonly account: string | null;
  readonly actor: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly traceId: string | null;
  readonly detail: string | null;
}

/** The longest an email address can be, and so the longest name worth storing. */
const longestName = 254;
const longestAddress = 64;
const longestText = 300;

/**
 * Much of an event comes from the client: the attempted name, the user agent. It must not carry line breaks, escape
 * sequences or bidirectional overrides into a log, a terminal or a page.
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
  // A few times the limit is enough to fill it, unless the text is mostly unprintable.
  const printable = text.slice(0, most * 4).replace(unprintable, "");
  const short = printable.trim().slice(0, most).toWellFormed();
  // A slice keeps the whole string alive, which may be the body of a request.
  return short === "" ? null : Buffer.from(short).toString();
}
