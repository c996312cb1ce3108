import { types } from "node:util";

/**
 * Reads values that a program throws or logs. They can be anything, and reading them may throw again: a revoked proxy,
 * a getter, a custom `toString`. The functions in this file never throw.
 */

/** Placeholder for a value that throws when it is read. */
export const unreadable = "[unreadable]";

/** Whether a value is an error, including errors of another realm. */
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

/** A property, or a placeholder if it cannot be read. */
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
  /** Type, message and frames. Empty without a stack. */
  readonly stack: string;
}

/** Maximum lengths of the text of an error. */
export interface TextLimits {
  readonly message: number;
  readonly stack: number;
}

/** Reads an error. Redacts its message and its frames separately, because the stack is split at the message. */
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

/** Redacts the text before the message. Usually it is only the type, but it can contain an earlier message. */
function redactHead(head: string, redact: (text: string) => string): string {
  return /^[\w$.]*(?: \[\w+\])?: $/.test(head) ? head : redact(head);
}

/** Redacts stack frames. Most of them contain only names and locations. */
function redactFrames(frames: string, redact: (text: string) => string): string {
  return /[=@"'`]|eyJ|%3d/i.test(frames) ? redact(frames) : frames;
}

/** Splits a stack into the text before the message and the text after it. */
function splitStack(stack: string, message: string): [head: string | undefined, frames: string] {
  const at = message === "" ? -1 : stack.indexOf(message);
  if (at === -1 || at > 200) return [undefined, stack];
  return [stack.slice(0, at), stack.slice(at + message.length)];
}

/** Maximum number of errors read from an `AggregateError`. */
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

/** Removes the frames that a cause shares with the error that contains it. */
export function withoutSharedFrames(stack: string, around: string): string {
  const [own, others] = [stack.split("\n"), around.split("\n")];
  let shared = 0;
  while (shared < own.length - 1 && own.at(-1 - shared) === others.at(-1 - shared)) shared++;
  if (shared < 2) return stack;
  return [...own.slice(0, -shared), `    … ${shared} frames as above`].join("\n");
}

/** Converts any value to text. Does not call methods of objects, which may throw or never return. */
export function toText(value: unknown): string {
  if (value === undefined) return "";
  if (isError(value))
    return `${toText(readProperty(value, "name"))}: ${toText(readProperty(value, "message"))}`;
  if (isRevoked(value)) return "[revoked proxy]";
  if (typeof value === "function") return "[function]";
  return typeof value === "object" && value !== null ? `[${className(value, "object")}]` : String(value);
}

/** The message of an error, or any other value as text. */
export function messageOf(thrown: unknown): string {
  return toText(isError(thrown) ? readProperty(thrown, "message") : thrown);
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

/** Truncates a text and appends the number of missing characters. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // A copy, because a slice would keep the whole text in memory.
  const start = Buffer.from(text.slice(0, length).toWellFormed()).toString();
  return `${start}… (${text.length - length} more characters)`;
}
