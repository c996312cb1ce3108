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

/** The name of an object's class. */
export function className(value: object, fallback = "Error"): string {
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
