import type { Primitive } from "./primitive.ts";
import { literal, unknown, type Value } from "./value.ts";
import { keyOf } from "./value-keys.ts";

/** A literal derived from others. It is secret if one of them is. */
export function derived(value: Primitive, from: readonly Value[]): Value {
  return from.some(hasSecret) ? { kind: "literal", value, isSecret: true } : literal(value);
}

export function hasSecret(value: Value): boolean {
  return membersOf(value).some((member) => member.kind === "literal" && member.isSecret);
}

/** Whether it is known from the route. Cases that a check excludes can never occur there. */
export function isOfRoute(value: Value): boolean {
  return value.kind === "literal" && value.isOfRoute === true;
}

/** The maximum number of alternatives. Values with more are unknown. */
const maxMembers = 64;

export function union(values: readonly Value[]): Value {
  const members: Value[] = [];
  const seen = new Set<string>();
  for (const value of values.flatMap((each) => (each.kind === "union" ? each.values : [each]))) {
    const key = keyOf(value);
    if (seen.has(key)) continue;
    seen.add(key);
    members.push(value);
  }
  if (members.length === 0) return unknown;
  if (members.length > maxMembers) return unknown;
  return members.length === 1 ? members[0]! : { kind: "union", values: members };
}

export function membersOf(value: Value): readonly Value[] {
  return value.kind === "union" ? value.values : [value];
}

/** Its possible literals, or `undefined` if it may have other values. */
export function literalsOf(value: Value): Primitive[] | undefined {
  const members = membersOf(value);
  return members.every((member) => member.kind === "literal")
    ? members.map((member) => (member as { value: Primitive }).value)
    : undefined;
}

/** The same for documents: secrets are treated as unknown. */
export function shownLiteralsOf(value: Value): Primitive[] | undefined {
  return hasSecret(value) ? undefined : literalsOf(value);
}

/** Whether it is known to be truthy or falsy. */
export function truthOf(value: Value): boolean | undefined {
  const truths = new Set(membersOf(value).map(truthOfMember));
  return truths.size === 1 ? [...truths][0] : undefined;
}

function truthOfMember(value: Value): boolean | undefined {
  if (value.kind === "literal") return Boolean(value.value);
  const isOpen = ["opaque", "read", "body", "union", "check", "native"].includes(value.kind);
  return isOpen ? undefined : true;
}

/** Whether several callers can share it, because none of them can change it. */
export function isPlain(value: Value, depth = 0): boolean {
  const inner = (each: Value) => isPlain(each, depth + 1);
  if (value.kind === "instance" || depth > 6) return false;
  if (value.kind === "function") return value.env.parent === undefined;
  if (value.kind === "union") return value.values.every(inner);
  if (value.kind === "array") return value.items.every(inner);
  return value.kind !== "object" || [...value.properties.values()].every(inner);
}

/** An item of an array that others may have changed: names are treated as constants, other values are not. */
export function loosenItem(item: Value): Value {
  const isName =
    item.kind === "literal" && (typeof item.value === "string" || typeof item.value === "number");
  return isName ? item : union([item, unknown]);
}

/** A value that others may have changed: names and numbers are treated as constants, flags are not. */
export function widen(value: Value): Value {
  const isSwitch = (member: Value) =>
    member.kind === "literal" && typeof member.value !== "string" && typeof member.value !== "number";
  return membersOf(value).some(isSwitch) ? unknown : value;
}
