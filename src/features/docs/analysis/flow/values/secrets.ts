import { isSensitiveName } from "../../../../../lib/redaction/sensitive-names.ts";
import { literalsOf } from "./alternatives.ts";
import type { Value } from "./value.ts";

/**
 * The value that a name holds. If the name looks like a credential, the value is marked as secret: the analysis still
 * follows it, but never uses it in an enum, default or message.
 */
export function conceal(name: string, value: Value): Value {
  return isSecretName(name) ? markSecret(value) : value;
}

const known = new Map<string, boolean>();
const maxKnown = 10_000;

/** Cached, because names are looked up often. */
function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= maxKnown) known.clear();
  const isSecret = isSensitiveName(name);
  known.set(name, isSecret);
  return isSecret;
}

/** `headers.set("token", value)`: a method that takes a name and its value. */
export function concealNamed(name: Value | undefined, value: Value | undefined): void {
  if (!name || !value) return;
  for (const each of literalsOf(name) ?? []) if (typeof each === "string") conceal(each, value);
}

/** The value of a property. It is a secret if its own name or that of the class or module looks like a credential. */
export function concealProperty(of: Value, name: string, value: Value): Value {
  const isHolderSecret = (of.kind === "class" || of.kind === "module") && of.isSecret;
  return isHolderSecret ? markSecret(value) : conceal(name, value);
}

function markSecret(value: Value): Value {
  switch (value.kind) {
    case "class":
    case "module":
      return { ...value, isSecret: true };
    case "literal":
      return typeof value.value === "string" || typeof value.value === "number"
        ? { ...value, isSecret: true }
        : value;
    case "regex":
      return { kind: "opaque" };
    case "read":
      value.read.isSecret = true;
      return value;
    case "opaque":
      for (const { read } of value.from ?? []) read.isSecret = true;
      return value;
    case "union":
      return { ...value, values: value.values.map(markSecret) };
    case "array":
      if (value.isSecret) return value;
      value.isSecret = true;
      for (const [index, item] of value.items.entries()) value.items[index] = markSecret(item);
      return value;
    case "object":
      if (value.isSecret) return value;
      value.isSecret = true;
      for (const [name, inner] of value.properties) value.properties.set(name, markSecret(inner));
      return value;
    default:
      return value;
  }
}
