import { createHash } from "node:crypto";
import { type ErrorLink, readErrorChain } from "../../../lib/errors/error-chain.ts";
import { framesOf, isOwnFrame } from "../../../lib/errors/own-frame.ts";
import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";

/** An error for display, with its fingerprint. Contains no secrets. */
export interface DescribedError {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** Causes, nearest first. */
  readonly causes: readonly ErrorLink[];
}

const framesCompared = 3;

/**
 * Errors have the same fingerprint if they have the same type, the same location in the code and the same origin. Lines
 * and columns are ignored, so that edits elsewhere in a file do not split a group. The message is ignored because it
 * often contains numbers or names and may be controlled by a client. Causes are ignored as well.
 */
export function describeError(
  error: unknown,
  origin: string,
  redactor: Redactor = defaultRedactor,
): DescribedError {
  const { type, message, stack, causes } = readErrorChain(error, redactor);
  const frames = framesOf(stack, message);
  const own = frames.filter(isOwnFrame);
  const compared = (own.length > 0 ? own : frames).slice(0, framesCompared).map(placeOf);
  return {
    fingerprint: createHash("sha1")
      .update([toPlain(type), origin, ...compared].join("\n"))
      .digest("base64url")
      .slice(0, 16),
    type: toPlain(type),
    message: toPlain(message),
    stack: toPlain(stack),
    causes: causes.map(toPlainLink),
  };
}

function toPlainLink({ relation, type, message, stack }: ErrorLink): ErrorLink {
  return { relation, type: toPlain(type), message: toPlain(message), stack: toPlain(stack) };
}

/** Messages may contain client input, and databases reject text with null characters. */
function toPlain(text: string): string {
  return text.replaceAll("\0", "�");
}

function placeOf(frame: string): string {
  return frame.replace(/:\d+:\d+\)?$/, "");
}
