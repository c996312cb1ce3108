import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type ErrorLink, readErrorChain } from "../../lib/error-chain.ts";
import { defaultRedactor, type Redactor } from "../../lib/redactor.ts";

/** An error as it is shown, and what makes it the same as another. It contains no secrets. */
export interface DescribedError {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** What caused it, the nearest first. */
  readonly causes: readonly ErrorLink[];
}

const framesCompared = 3;
const maxStackLength = 8_000;

/**
 * Two errors are the same when they have one type and occurred at the same place of the program during the same kind
 * of work. Lines and columns do not count, so that an edit elsewhere in the file leaves a group whole. Neither does
 * the message, which often contains a number or a name, and may be a client's choice, nor do the causes.
 */
export function describeError(
  error: unknown,
  origin: string,
  redactor: Redactor = defaultRedactor,
): DescribedError {
  const { type, message, stack, causes } = readErrorChain(error, redactor);
  const frames = framesOf(stack, message);
  const own = frames.filter((frame) => !isForeign(frame));
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

/** A message may contain what a client sent, and no database accepts text with a null character. */
function toPlain(text: string): string {
  return text.replaceAll("\0", "�");
}

/** The message stands before the frames, and may hold lines that look like them. */
function framesOf(stack: string, message: string): string[] {
  const at = stack.indexOf(message);
  const start = at === -1 ? 0 : at + message.length;
  return stack
    .slice(start, start + maxStackLength)
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .map((line) => line.slice(7));
}

const annexUrl = new URL("../../", import.meta.url).href;
const annexFolder = fileURLToPath(annexUrl);

/** A frame of the runtime, of a package or of Annex itself tells little about which of the application's errors it is. */
function isForeign(frame: string): boolean {
  const hasPlace = frame.includes("/") || frame.includes("\\");
  if (!hasPlace || frame.includes("node:") || frame.includes("node_modules")) return true;
  return frame.includes(annexFolder) || frame.includes(annexUrl);
}

function placeOf(frame: string): string {
  return frame.replace(/:\d+:\d+\)?$/, "");
}
