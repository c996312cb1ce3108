import { Stream } from "node:stream";
import { types } from "node:util";
import { cut, errorsOf, isError, isRevoked, readProperty, unreadable } from "../thrown.ts";
import { readErrorFields, readThrown } from "./error-fields.ts";
import { readError, withoutSharedFrames } from "./error-text.ts";
import type { Redactor } from "./redactor.ts";
import { redacted } from "./sensitive-names.ts";

/**
 * Converts any value to JSON data: without secrets, with errors expanded, and limited in depth, breadth and length.
 * Accidentally logging a request or a database client is therefore harmless.
 *
 * It never throws. A value that cannot be read becomes a placeholder: `[revoked proxy]`, `[unreadable]`.
 */
export type ToPlain = (value: unknown) => PlainData;

export interface PlainData {
  readonly value: unknown;
  /** The number of characters, without those that JSON adds. */
  readonly size: number;
}

const maxDepth = 6;
const maxEntries = 200;
/** Limits for the values and characters of one record. */
const maxValues = 3_000;
const maxCharacters = 14_000;
const longestText = 8_192;
const maxCauses = 20;
/** Length of a number as text, including the separator. */
const longestNumber = 28;

export function createToPlain(redactor: Redactor): ToPlain {
  return (value) => {
    const conversion = new Conversion(redactor);
    return { value: conversion.plain(value), size: conversion.size };
  };
}

/** The conversion of one record, with its remaining limits. */
class Conversion {
  private readonly redactor: Redactor;
  private values = maxValues;
  private characters = maxCharacters;
  private causes = 0;
  /** The objects that contain the current value. */
  private readonly around: object[] = [];

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  get size(): number {
    return maxCharacters - this.characters + longestNumber * (maxValues - this.values);
  }

  plain(value: unknown, name = ""): unknown {
    if (this.values-- <= 0) return "[truncated]";
    switch (typeof value) {
      case "string":
        return this.plainText(value);
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "bigint":
        return cut(value.toString(), 1_000);
      case "function":
        return "[function]";
      case "symbol":
        return cut(String(value), 200);
      case "object":
        return value === null ? null : this.plainReference(value, name);
      default:
        return value;
    }
  }

  private plainText(text: string, longest = longestText): string {
    if (this.characters <= 0) return "[truncated]";
    const result = this.redactor.text(cut(text, Math.min(longest, Math.max(200, this.characters))));
    this.characters -= result.length;
    return result;
  }

  private plainReference(value: object, name: string): unknown {
    const { around } = this;
    if (around.includes(value)) return "[circular]";
    // Causes are counted separately, so that a chain of errors is not limited like nested data.
    if (around.length > maxDepth + this.causes) return "[too deep]";
    around.push(value);
    try {
      return this.plainObjectOrList(value, name);
    } catch {
      return isRevoked(value) ? "[revoked proxy]" : unreadable;
    } finally {
      around.pop();
    }
  }

  private plainObjectOrList(value: object, name: string): unknown {
    if (Array.isArray(value)) return this.plainList(value, /headers?$/i.test(name));
    if (isError(value)) return this.plainError(value);
    if (types.isProxy(value)) return isRevoked(value) ? "[revoked proxy]" : "[proxy]";
    const special = this.plainSpecial(value);
    return special === undefined ? this.plainObject(value) : special;
  }

  private plainSpecial(value: object): unknown {
    if (types.isDate(value)) return plainDate(value);
    if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return `[${value.byteLength} bytes]`;
    if (types.isRegExp(value)) return this.plainText(String(value));
    if (types.isMap(value)) return this.plainMap(value);
    if (types.isSet(value)) return this.plainList(take(Set.prototype.values.call(value)), false);
    // Node loads `Headers` with its first use, which takes a while.
    if (isPlainObject(value)) return undefined;
    if (value instanceof URL) return this.plainText(value.href);
    if (value instanceof URLSearchParams) return this.plainText(`?${value}`).slice(1);
    if (value instanceof Headers) return this.plainHeaders(value);
    if (value instanceof Stream) return `[${value.constructor.name}]`;
    return undefined;
  }

  private plainHeaders(headers: Headers): Record<string, string> {
    const entries = take(headers.entries());
    return Object.fromEntries(
      entries.map(([name, value]) => [name, this.redactor.header(name, cut(value, longestText))]),
    );
  }

  private plainMap(map: Map<unknown, unknown>): unknown[] {
    return take(Map.prototype.entries.call(map)).map(([key, value]) => {
      const isSecret = typeof key === "string" && this.isSecretField(key, value);
      return [this.plain(key), isSecret ? redacted : this.plain(value)];
    });
  }

  /** A list may contain headers, pairs of names and values, or command arguments. */
  private plainList(list: readonly unknown[], isHeaders: boolean): unknown[] {
    const result: unknown[] = [];
    for (let index = 0; index < Math.min(list.length, maxEntries); index++) {
      const item = readProperty(list, String(index));
      const before = index === 0 ? undefined : readProperty(list, String(index - 1));
      const isValue = typeof before === "string" && isNameBefore(before, list, index, isHeaders);
      if (isValue && this.isSecretField(before, item)) result.push(redacted);
      else if (typeof item === "string" && isOption(before)) result.push(this.plainArgument(before, item));
      else result.push(this.plain(item));
    }
    return result;
  }

  /** A command argument after an option such as `-u` may be a user and a password. */
  private plainArgument(option: string, argument: string): string {
    const text = this.plainText(`${option} ${argument}`);
    return text.startsWith(`${option} `) ? text.slice(option.length + 1) : text;
  }

  private plainObject(value: object): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const keys = keysOf(value);
    const secretValue = this.namesSecret(value, keys) ? "value" : undefined;
    for (const key of keys) {
      const item = readProperty(value, key);
      const isSecret = key === secretValue || this.isSecretField(key, item);
      this.characters -= key.length;
      const shown = isSecret ? redacted : this.plain(item, key);
      put(result, key.length > 20 ? this.redactor.text(cut(key, 200)) : key, shown);
    }
    return result;
  }

  /** `{ name: "authorization", value: "…" }` */
  private namesSecret(value: object, keys: readonly string[]): boolean {
    if (!keys.includes("value")) return false;
    const name = readProperty(value, keys.includes("name") ? "name" : "key");
    return typeof name === "string" && this.redactor.isSensitive(name);
  }

  private plainError(error: Error): Record<string, unknown> {
    const half = Math.max(200, Math.floor(this.characters / 2));
    const limits = { message: Math.min(2_000, half), stack: Math.min(6_000, half) };
    const { type, message, stack } = readError(error, limits, this.redactor.text);
    const outer = this.around.at(-2);
    const around = isError(outer) ? readProperty(outer, "stack") : "";
    const frames = typeof around === "string" ? withoutSharedFrames(stack, around) : stack;
    this.characters -= type.length + message.length + frames.length;
    const fields = this.plainObject(readErrorFields(error, this.redactor.errorFields));
    return { name: type, message, ...fields, stack: frames, ...this.plainCauses(error) };
  }

  private plainCauses(error: Error): { cause?: unknown; errors?: unknown[] } {
    const cause = readProperty(error, "cause");
    const errors = errorsOf(error);
    if (cause === undefined && errors.length === 0) return {};
    if (this.causes >= maxCauses) return { cause: "[more causes were omitted]" };
    this.causes++;
    return {
      ...(cause !== undefined && { cause: this.plain(readThrown(cause, this.redactor.errorFields)) }),
      ...(errors.length > 0 && {
        errors: errors.map((each) => this.plain(readThrown(each, this.redactor.errorFields))),
      }),
    };
  }

  /** A flag or a missing value under a sensitive name is not a secret, and neither is a number of tokens. */
  private isSecretField(name: string, value: unknown): boolean {
    if (value === undefined || value === null || typeof value === "boolean") return false;
    if (typeof value === "number" && /tokens$/i.test(name)) return false;
    return this.redactor.isSensitive(name);
  }
}

function isNameBefore(before: string, list: readonly unknown[], index: number, isHeaders: boolean): boolean {
  if (before.startsWith("-")) return true;
  return index % 2 === 1 && (isHeaders || list.length === 2);
}

function isOption(value: unknown): value is string {
  return typeof value === "string" && /^-.{0,50}$/.test(value);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A proxy may report any number of keys and take long to list them, so its keys are not read. */
function keysOf(value: object): string[] {
  return types.isProxy(value) ? [] : Object.keys(value).slice(0, maxEntries);
}

/** `__proto__` would change the object instead of the field. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function plainDate(date: Date): string {
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? "[invalid date]" : new Date(time).toISOString();
}

function take<T>(items: Iterable<T>): T[] {
  const result: T[] = [];
  for (const item of items) {
    if (result.length >= maxEntries) break;
    result.push(item);
  }
  return result;
}
