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

/** The remaining limits of a record, and the objects that contain the current value. */
interface Progress {
  values: number;
  characters: number;
  causes: number;
  readonly around: object[];
}

export function createToPlain(redactor: Redactor): ToPlain {
  function plain(value: unknown, progress: Progress, name = ""): unknown {
    if (progress.values-- <= 0) return "[truncated]";
    switch (typeof value) {
      case "string":
        return plainText(value, progress);
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "bigint":
        return cut(value.toString(), 1_000);
      case "function":
        return "[function]";
      case "symbol":
        return cut(String(value), 200);
      case "object":
        return value === null ? null : plainReference(value, progress, name);
      default:
        return value;
    }
  }

  function plainText(text: string, progress: Progress, longest = longestText): string {
    if (progress.characters <= 0) return "[truncated]";
    const result = redactor.text(cut(text, Math.min(longest, Math.max(200, progress.characters))));
    progress.characters -= result.length;
    return result;
  }

  function plainReference(value: object, progress: Progress, name: string): unknown {
    const { around } = progress;
    if (around.includes(value)) return "[circular]";
    // Causes are counted separately, so that a chain of errors is not limited like nested data.
    if (around.length > maxDepth + progress.causes) return "[too deep]";
    around.push(value);
    try {
      return plainObjectOrList(value, progress, name);
    } catch {
      return isRevoked(value) ? "[revoked proxy]" : unreadable;
    } finally {
      around.pop();
    }
  }

  function plainObjectOrList(value: object, progress: Progress, name: string): unknown {
    if (Array.isArray(value)) return plainList(value, progress, /headers?$/i.test(name));
    if (isError(value)) return plainError(value, progress);
    if (types.isProxy(value)) return isRevoked(value) ? "[revoked proxy]" : "[proxy]";
    const special = plainSpecial(value, progress);
    return special === undefined ? plainObject(value, progress) : special;
  }

  function plainSpecial(value: object, progress: Progress): unknown {
    if (types.isDate(value)) return plainDate(value);
    if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return `[${value.byteLength} bytes]`;
    if (types.isRegExp(value)) return plainText(String(value), progress);
    if (types.isMap(value)) return plainMap(value, progress);
    if (types.isSet(value)) return plainList(take(Set.prototype.values.call(value)), progress, false);
    // Node loads `Headers` with its first use, which takes a while.
    if (isPlainObject(value)) return undefined;
    if (value instanceof URL) return plainText(value.href, progress);
    if (value instanceof URLSearchParams) return plainText(`?${value}`, progress).slice(1);
    if (value instanceof Headers) return plainHeaders(value);
    if (value instanceof Stream) return `[${value.constructor.name}]`;
    return undefined;
  }

  function plainHeaders(headers: Headers): Record<string, string> {
    const entries = take(headers.entries());
    return Object.fromEntries(
      entries.map(([name, value]) => [name, redactor.header(name, cut(value, longestText))]),
    );
  }

  function plainMap(map: Map<unknown, unknown>, progress: Progress): unknown[] {
    return take(Map.prototype.entries.call(map)).map(([key, value]) => {
      const isSecret = typeof key === "string" && isSecretField(key, value);
      return [plain(key, progress), isSecret ? redacted : plain(value, progress)];
    });
  }

  /** A list may contain headers, pairs of names and values, or command arguments. */
  function plainList(list: readonly unknown[], progress: Progress, isHeaders: boolean): unknown[] {
    const result: unknown[] = [];
    for (let index = 0; index < Math.min(list.length, maxEntries); index++) {
      const item = readProperty(list, String(index));
      const before = index === 0 ? undefined : readProperty(list, String(index - 1));
      const isValue = typeof before === "string" && isNameBefore(before, list, index, isHeaders);
      if (isValue && isSecretField(before, item)) result.push(redacted);
      else if (typeof item === "string" && isOption(before))
        result.push(plainArgument(before, item, progress));
      else result.push(plain(item, progress));
    }
    return result;
  }

  /** A command argument after an option such as `-u` may be a user and a password. */
  function plainArgument(option: string, argument: string, progress: Progress): string {
    const text = plainText(`${option} ${argument}`, progress);
    return text.startsWith(`${option} `) ? text.slice(option.length + 1) : text;
  }

  function isNameBefore(
    before: string,
    list: readonly unknown[],
    index: number,
    isHeaders: boolean,
  ): boolean {
    if (before.startsWith("-")) return true;
    return index % 2 === 1 && (isHeaders || list.length === 2);
  }

  function plainObject(value: object, progress: Progress): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const keys = keysOf(value);
    const secretValue = namesSecret(value, keys) ? "value" : undefined;
    for (const key of keys) {
      const item = readProperty(value, key);
      const isSecret = key === secretValue || isSecretField(key, item);
      progress.characters -= key.length;
      const shown = isSecret ? redacted : plain(item, progress, key);
      put(result, key.length > 20 ? redactor.text(cut(key, 200)) : key, shown);
    }
    return result;
  }

  /** `{ name: "authorization", value: "…" }` */
  function namesSecret(value: object, keys: readonly string[]): boolean {
    if (!keys.includes("value")) return false;
    const name = readProperty(value, keys.includes("name") ? "name" : "key");
    return typeof name === "string" && redactor.isSensitive(name);
  }

  function plainError(error: Error, progress: Progress): Record<string, unknown> {
    const half = Math.max(200, Math.floor(progress.characters / 2));
    const limits = { message: Math.min(2_000, half), stack: Math.min(6_000, half) };
    const { type, message, stack } = readError(error, limits, redactor.text);
    const outer = progress.around.at(-2);
    const around = isError(outer) ? readProperty(outer, "stack") : "";
    const frames = typeof around === "string" ? withoutSharedFrames(stack, around) : stack;
    progress.characters -= type.length + message.length + frames.length;
    const fields = plainObject(readErrorFields(error, redactor.errorFields), progress);
    return { name: type, message, ...fields, stack: frames, ...plainCauses(error, progress) };
  }

  function plainCauses(error: Error, progress: Progress): { cause?: unknown; errors?: unknown[] } {
    const cause = readProperty(error, "cause");
    const errors = errorsOf(error);
    if (cause === undefined && errors.length === 0) return {};
    if (progress.causes >= maxCauses) return { cause: "[more causes were omitted]" };
    progress.causes++;
    return {
      ...(cause !== undefined && { cause: plain(readThrown(cause, redactor.errorFields), progress) }),
      ...(errors.length > 0 && {
        errors: errors.map((each) => plain(readThrown(each, redactor.errorFields), progress)),
      }),
    };
  }

  /** A flag or a missing value under a sensitive name is not a secret, and neither is a number of tokens. */
  function isSecretField(name: string, value: unknown): boolean {
    if (value === undefined || value === null || typeof value === "boolean") return false;
    if (typeof value === "number" && /tokens$/i.test(name)) return false;
    return redactor.isSensitive(name);
  }

  return (value) => {
    const progress: Progress = { values: maxValues, characters: maxCharacters, causes: 0, around: [] };
    const result = plain(value, progress);
    return {
      value: result,
      size: maxCharacters - progress.characters + longestNumber * (maxValues - progress.values),
    };
  };
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
