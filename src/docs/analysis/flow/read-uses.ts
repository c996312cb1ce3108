import type { Primitive } from "./primitive.ts";
import type { Read } from "./reads.ts";
import { derived, hasSecret, literalsOf, membersOf, type ReadValue, type Value } from "./value.ts";

/** What the use of a value tells of the parameter it was read from. */

export function readsIn(value: Value): ReadValue[] {
  return membersOf(value).filter((member) => member.kind === "read");
}

/** `Number(q)`, `parseInt(q)`. */
export function asNumber(value: Value, type: "number" | "integer"): Value {
  if (value.kind === "read") {
    const { read, whenMissing, form } = value;
    if (form === "part") return { kind: "opaque" };
    if (read.type !== "integer") read.type = type;
    return { kind: "read", read, form: "number", whenMissing: numberWhenMissing(whenMissing, type) };
  }
  if (value.kind === "union")
    return { kind: "union", values: value.values.map((member) => asNumber(member, type)) };
  if (value.kind !== "literal") return { kind: "opaque" };
  const number = type === "integer" ? Number.parseInt(String(value.value), 10) : Number(value.value);
  return Number.isNaN(number) ? { kind: "opaque" } : derived(number, [value]);
}

/** `Number(null)` is 0 and `Number(undefined)` is not a number; `parseInt` makes neither into one. */
function numberWhenMissing(
  before: ReadValue["whenMissing"],
  type: "number" | "integer",
): ReadValue["whenMissing"] {
  if (before === "undefined") return "NaN";
  if (before === "null") return type === "integer" ? "NaN" : "zero";
  return before;
}

/** `q ?? "x"`, `q || 10`, `{ q = "x" }`. */
export function applyDefault(value: ReadValue, fallback: Value): ReadValue {
  const { read } = value;
  const values = literalsOf(fallback);
  const [given] = values ?? [];
  if (values?.length !== 1 || hasSecret(fallback)) read.isDefaultUnclear = true;
  // An empty text stands for nothing, and is often only there to please a parser.
  else if (
    given !== undefined &&
    given !== null &&
    given !== "" &&
    read.default !== undefined &&
    read.default !== ""
  )
    read.isDefaultUnclear ||= read.default !== given;
  else if (given !== undefined && given !== null && read.default !== given && !(given === "" && read.default))
    read.default = given;
  return { ...value, whenMissing: "other" };
}

/** What is handed on as it was sent is wanted as text, also if it is a number elsewhere. */
export function markText(value: Value, depth = 0): void {
  for (const { read, form } of readsIn(value)) if (form === "text") read.isText = true;
  if (depth > 3) return;
  if (value.kind === "object") for (const inner of value.properties.values()) markText(inner, depth + 1);
  if (value.kind === "array") for (const inner of value.items) markText(inner, depth + 1);
}

/** One of a list that everything else is refused from. */
export function markValues({ read, form }: ReadValue, values: readonly Primitive[]): void {
  const usable = values.filter((value) => typeof value === "string" || typeof value === "number");
  if (form === "text" && usable.length > 0 && usable.length === values.length) read.values ??= [...usable];
}

export function markRequired({ read, whenMissing }: ReadValue): void {
  if (whenMissing !== "other" && whenMissing !== "zero") read.isRequired = true;
}

/** The default as the schema's type wants it: `"1"` of an integer is 1. `undefined` when it does not fit. */
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
