import { createToPlain } from "../redaction/plain-data.ts";
import { defaultRedactor } from "../redaction/redactor.ts";
import { isSensitiveName, redacted } from "../redaction/sensitive-names.ts";
import type { Option } from "./option.ts";

/** Where a value comes from. */
export type OptionSource = "default" | "environment" | "code" | "run time";

/**
 * An option with its effective value, ready for display: secrets are redacted, and values that are not data are
 * described by a word.
 */
export interface OptionEntry {
  /** Name as in code: "log.retentionHours". */
  readonly name: string;
  readonly group: string;
  /** What the option does, in one or two sentences. */
  readonly about: string;
  readonly value: unknown;
  readonly source: OptionSource;
  /** The environment variable for the option, if there is one. */
  readonly variable?: string;
  readonly default: unknown;
}

/** Returns plain data unchanged, redacts secrets, and describes other values in words. */
export function showValue(
  name: string,
  { show }: Pick<Option, "show">,
  value: unknown,
  given?: unknown,
): unknown {
  if (value === undefined || value === null) return null;
  if (isSecret(name)) return redacted;
  if (show) return show(value, given);
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "object" ? describeObject(value) : value;
}

export function isSecret(name: string): boolean {
  return isSensitiveName(name.split(".").at(-1)!);
}

function describeObject(value: object): string {
  return "write" in value ? "a stream" : `an object (${value.constructor?.name ?? "Object"})`;
}

const toPlain = createToPlain(defaultRedactor);

/** Formats an invalid value for a message, without the password of a database URL. */
export function quoteValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(defaultRedactor.text(withoutPassword(value)));
  return typeof value === "object" ? JSON.stringify(toPlain(value).value) : String(value);
}

/** Works for invalid URLs too, where a password may contain any character. */
function withoutPassword(text: string): string {
  return text.replace(/\/\/.*@/s, `//${redacted}@`).replace(/(password=)[^&]*/gi, `$1${redacted}`);
}
