import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { cutText } from "../requests/cut-text.ts";

/** An error as it is told to people, and what makes it the same as another. */
export interface DescribedError {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

const framesCompared = 3;
const maxStackLength = 8_000;

/**
 * Two errors are the same when they are of one type, came up at the same place of the program and while the same thing
 * was being done. Lines and columns do not count, so that an edit elsewhere in the file leaves a group whole; nor does
 * the message, which often holds a number or a name, and may be a stranger's choice.
 */
export function describeError(error: unknown, origin: string): DescribedError {
  const type = toPlain(typeOf(error), 100);
  const message = messageOf(error);
  const stack = stackOf(error);
  const frames = framesOf(stack, message);
  const own = frames.filter((frame) => !isForeign(frame));
  const compared = (own.length > 0 ? own : frames).slice(0, framesCompared).map(placeOf);
  return {
    fingerprint: createHash("sha1")
      .update([type, origin, ...compared].join("\n"))
      .digest("base64url")
      .slice(0, 16),
    type,
    message: toPlain(message, 1_000),
    stack: toPlain(stack, maxStackLength),
  };
}

/** A message may hold what a client sent, and no database takes a text with a null in it. */
function toPlain(text: string, length: number): string {
  return cutText(text.replaceAll("\0", "�"), length);
}

// What is thrown may be anything, and asking it may throw again.
function typeOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.name || error.constructor.name) : typeof error;
  } catch {
    return "unknown";
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return "";
  }
}

function stackOf(error: unknown): string {
  try {
    return error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  } catch {
    return "";
  }
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
