import { className, cut, readProperty, toText, unreadable } from "../thrown.ts";
import { readMessage } from "./error-message.ts";
import { redactQuotedValues } from "./quoted-values.ts";
import { redactText } from "./redact-text.ts";
import { findFrames } from "./stack-frames.ts";

/** The parts of an error that are text. */
export interface ErrorText {
  readonly type: string;
  readonly message: string;
  /** Type, message and frames. Empty without a stack. */
  readonly stack: string;
}

/** Maximum lengths of the text of an error. */
export interface TextLimits {
  readonly message: number;
  readonly stack: number;
}

/** Longer messages are truncated before they are redacted, so that redaction takes a limited time. */
const longestMessage = 16_384;

/** Reads an error. Redacts its message and its frames separately, because the stack is split at the message. */
export function readError(error: object, limits: TextLimits, redact = redactText): ErrorText {
  const name = readProperty(error, "name");
  const type = redact(cut(typeof name === "string" && name !== "" ? name : className(error), 100));
  const message = cut(redactMessage(cut(readMessage(error), longestMessage), redact), limits.message);
  const given = readProperty(error, "stack");
  const stack = typeof given === "string" && given !== unreadable ? given : "";
  const [head, rest] = splitStack(stack, toText(readProperty(error, "message")));
  const frames = redactFrames(cut(findFrames(rest), limits.stack), redact);
  const start = head === undefined ? nameAndMessage(type, message) : redactHead(head, redact) + message;
  return { type, message, stack: stack === "" ? "" : start + frames };
}

/** Values that an error quotes are hidden by phrases that are harmless in other texts. */
function redactMessage(message: string, redact: (text: string) => string): string {
  return redact(redactQuotedValues(message, true));
}

function nameAndMessage(type: string, message: string): string {
  return message === "" ? type : `${type}: ${message}`;
}

/**
 * Splits a stack into the text before the message and the text after it. Of the latter, only the frames are used: if the
 * message was shortened, they follow the rest of the original one.
 */
function splitStack(stack: string, message: string): [head: string | undefined, rest: string] {
  const at = message === "" ? -1 : stack.indexOf(message);
  if (at === -1 || at > 200) return [undefined, stack];
  return [stack.slice(0, at), stack.slice(at + message.length)];
}

/** Redacts the text before the message. Usually it is only the type, but it can contain an earlier message. */
function redactHead(head: string, redact: (text: string) => string): string {
  return /^[\w$.]*(?: \[\w+\])?: $/.test(head) ? head : redactMessage(head, redact);
}

/** Redacts stack frames. Most of them contain only names and locations. */
function redactFrames(frames: string, redact: (text: string) => string): string {
  return /[=@"'`]|: |eyJ|%3d/i.test(frames) ? redact(frames) : frames;
}

/** Removes the frames that a cause shares with the error that contains it. */
export function withoutSharedFrames(stack: string, around: string): string {
  const [own, others] = [stack.split("\n"), around.split("\n")];
  let shared = 0;
  while (shared < own.length - 1 && own.at(-1 - shared) === others.at(-1 - shared)) shared++;
  if (shared < 2) return stack;
  return [...own.slice(0, -shared), `    … ${shared} frames as above`].join("\n");
}
