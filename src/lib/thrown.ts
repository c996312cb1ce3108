import { types } from "node:util";

/**
 * Reads values that a program throws or logs. Such a value may be anything, and looking at it may throw again: a
 * revoked proxy, a getter, a `toString` of its own. Nothing here throws.
 */

/** Stands for a value that throws when it is read. */
export const unreadable = "[unreadable]";

/** Errors, also those of another realm. */
export function isError(value: unknown): value is Error {
  try {
    return types.isNativeError(value) || value instanceof Error;
  } catch {
    return false;
  }
}

export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** A property, or why it cannot be read. */
export function readProperty(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return unreadable;
  }
}

/** The parts of an error that are text. */
export interface ErrorText {
  readonly type: string;
  readonly message: string;
  /** With type and message before the frames; empty where there is none. */
  readonly stack: string;
}

/** Longer text costs the log more than it explains. */
export interface TextLimits {
  readonly message: number;
  readonly stack: number;
}

/** Reads an error, and redacts its message and its frames apart, so that the one is found in the other. */
export function readError(error: object, limits: TextLimits, redact = (text: string) => text): ErrorText {
  const name = readProperty(error, "name");
  const whole = toText(readProperty(error, "message"));
  const given = readProperty(error, "stack");
  const stack = typeof given === "string" && given !== unreadable ? given : "";
  const message = redact(cut(whole, limits.message));
  const [head, rest] = splitStack(stack, whole);
  const frames = cut(rest, limits.stack);
  return {
    type: redact(cut(typeof name === "string" && name !== "" ? name : className(error), 100)),
    message,
    stack:
      head === undefined ? redact(frames) : redactHead(head, redact) + message + redactFrames(frames, redact),
  };
}

/** Usually the type alone. A message that was changed afterwards leaves the old one here. */
function redactHead(head: string, redact: (text: string) => string): string {
  return /^[\w$.]*(?: \[\w+\])?: $/.test(head) ? head : redact(head);
}

/** Frames are names and places. Most of them contain nothing that could be a secret. */
function redactFrames(frames: string, redact: (text: string) => string): string {
  return /[=@"'`]|eyJ|%3d/i.test(frames) ? redact(frames) : frames;
}

/** What is before the message, and what is after it. */
function splitStack(stack: string, message: string): [head: string | undefined, frames: string] {
  const at = message === "" ? -1 : stack.indexOf(message);
  if (at === -1 || at > 200) return [undefined, stack];
  return [stack.slice(0, at), stack.slice(at + message.length)];
}

/** Of one `AggregateError`. */
const maxErrors = 10;

/** The errors of an `AggregateError`. */
export function errorsOf(value: object): unknown[] {
  const list = readProperty(value, "errors");
  try {
    return Array.isArray(list) && list.some(isError) ? list.slice(0, maxErrors) : [];
  } catch {
    return [];
  }
}

/** A cause repeats the frames of the error around it, from where both were called. */
export function withoutSharedFrames(stack: string, around: string): string {
  const [own, others] = [stack.split("\n"), around.split("\n")];
  let shared = 0;
  while (shared < own.length - 1 && own.at(-1 - shared) === others.at(-1 - shared)) shared++;
  if (shared < 2) return stack;
  return [...own.slice(0, -shared), `    … ${shared} frames as above`].join("\n");
}

/** Any value as text. Objects are not converted by their own methods, which may throw, or never end. */
export function toText(value: unknown): string {
  if (value === undefined) return "";
  if (isError(value))
    return `${toText(readProperty(value, "name"))}: ${toText(readProperty(value, "message"))}`;
  if (isRevoked(value)) return "[revoked proxy]";
  if (typeof value === "function") return "[function]";
  return typeof value === "object" && value !== null ? `[${className(value, "object")}]` : String(value);
}

export function isRevoked(value: unknown): boolean {
  if (!types.isProxy(value)) return false;
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}

function className(value: object, fallback = "Error"): string {
  const type = readProperty(value, "constructor");
  const name = typeof type === "function" ? readProperty(type, "name") : "";
  return typeof name === "string" && name !== "" && name !== unreadable ? name : fallback;
}

/** The beginning of a text, and how much is missing. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // As a text of its own: a slice would keep the whole in memory.
  const start = Buffer.from(text.slice(0, length).toWellFormed()).toString();
  return `${start}… (${text.length - length} more characters)`;
}
