import { derived, hasSecret, literalsOf, membersOf } from "./alternatives.ts";
import type { Primitive } from "./primitive.ts";
import type { Read } from "./reads.ts";
import type { ReadValue, Value } from "./value.ts";

/** Derives properties of a parameter from the use of its value. */

export function readsIn(value: Value): ReadValue[] {
  return membersOf(value).filter((member) => member.kind === "read");
}

/** `Number(q)`, `parseInt(q)`. */
export function asNumber(value: Value, type: "number" | "integer"): Value {
  if (value.kind === "read") {
    const { read, whenMissing, form } = value;
    if (form === "part" || form === "length") return { kind: "opaque" };
    if (read.type !== "integer") read.type = type;
    return { kind: "read", read, form: "number", whenMissing: numberWhenMissing(whenMissing, type) };
  }
  if (value.kind === "union")
    return { kind: "union", values: value.values.map((member) => asNumber(member, type)) };
  if (value.kind !== "literal") return { kind: "opaque" };
  const number = type === "integer" ? Number.parseInt(String(value.value), 10) : Number(value.value);
  return Number.isNaN(number) ? { kind: "opaque" } : derived(number, [value]);
}

/** `Number(null)` is 0 and `Number(undefined)` is NaN. `parseInt` returns NaN for both. */
function numberWhenMissing(
  before: ReadValue["whenMissing"],
  type: "number" | "integer",
): ReadValue["whenMissing"] {
  if (before === "undefined") return "NaN";
  if (before === "null" || before === "empty") return type === "integer" ? "NaN" : "zero";
  return before;
}

/** `q ?? "x"`, `q || 10`, `{ q = "x" }`. */
export function applyDefault(value: ReadValue, fallback: Value): ReadValue {
  const { read } = value;
  // The first default wins: later ones are for values that were sent but cannot be used.
  if (value.whenMissing === "other" && read.default !== undefined) return value;
  const values = literalsOf(fallback);
  const [given] = values ?? [];
  // An empty string means a missing value, and is often only used to satisfy a parser.
  const isNothing = given === undefined || given === null || given === "";
  if (values?.length !== 1 || hasSecret(fallback)) read.isDefaultUnclear = true;
  else if (!isNothing && read.default !== undefined)
    read.isDefaultUnclear ||= String(read.default) !== String(given);
  else if (!isNothing) read.default = given;
  return { ...value, whenMissing: given === "" && value.whenMissing !== "other" ? "empty" : "other" };
}

/**
 * A value derived from a parameter, which is undefined if the parameter is missing:
 * `q?.startsWith("x") ? q.slice(1) : undefined`.
 */
export function orNothing(made: Value, nothing: Value, missing: readonly ReadValue[]): ReadValue | undefined {
  const isNothing = nothing.kind === "literal" && (nothing.value === undefined || nothing.value === null);
  const from = made.kind === "opaque" ? (made.from ?? []) : made.kind === "read" ? [made] : [];
  const [first] = from;
  const isOfOne = first && from.every((each) => isSameRead(each, first));
  if (!isNothing || !isOfOne || !missing.some((each) => isSameRead(each, first))) return undefined;
  return { ...first, form: "part", whenMissing: nothing.value === null ? "null" : "undefined" };
}

export const isSameRead = (one: ReadValue, other: ReadValue): boolean =>
  one.read.in === other.read.in && one.read.name === other.read.name;

/** A value passed on as sent is used as a string, even if it is a number elsewhere. */
export function markText(value: Value, depth = 0): void {
  for (const { read, form } of readsIn(value)) if (form === "text") read.isText = true;
  if (depth > 3) return;
  if (value.kind === "object") for (const inner of value.properties.values()) markText(inner, depth + 1);
  if (value.kind === "array") for (const inner of value.items) markText(inner, depth + 1);
}

/** Restricts a parameter to a list. All other values are rejected. */
export function markValues({ read, form, isTrimmed }: ReadValue, values: readonly Primitive[]): void {
  const usable = values.filter((value) => typeof value === "string" || typeof value === "number");
  if (form === "text" && !isTrimmed && usable.length > 0 && usable.length === values.length)
    read.values ??= [...usable];
}

export function markRequired({ read, whenMissing }: ReadValue): void {
  if (whenMissing !== "other" && whenMissing !== "zero") read.isRequired = true;
}

/** The default, converted to the schema's type: `"1"` for an integer is 1. `undefined` if it does not fit. */
export function defaultOf(
  { default: value, isDefaultUnclear }: Read,
  type: Read["type"] | "boolean",
): Primitive {
  if (isDefaultUnclear) return undefined;
  if (type === "string") return typeof value === "string" ? value : undefined;
  if (type === "boolean")
    return typeof value === "boolean" ? value : { true: true, false: false }[String(value)];
  const number = value === undefined || value === "" ? Number.NaN : Number(value);
  return Number.isNaN(number) || (type === "integer" && !Number.isInteger(number)) ? undefined : number;
}
