import type { Expression, Node } from "oxc-parser";
import type { Frame, InterpreterContext, Site } from "../interpreter-context.ts";
import { literalsOf, loosenItem, union } from "../values/alternatives.ts";
import { applyDefault } from "../values/read-uses.ts";
import { createArray, createObject, type Env, literal, unknown, type Value } from "../values/value.ts";

/** Declares the names in a pattern with the parts of a value: `const { page = "1", ...rest } = query`. */
export function declarePattern(
  machine: InterpreterContext,
  pattern: Node,
  value: Value,
  env: Env,
  frame: Frame,
  bind: (name: string, value: Value) => void,
): void {
  const go = (inner: Node, part: Value) => declarePattern(machine, inner, part, env, frame, bind);
  switch (pattern.type) {
    case "Identifier":
      bind(pattern.name, value);
      return;
    case "AssignmentPattern": {
      const fallback = machine.evaluate(pattern.right, env, frame);
      go(pattern.left, orDefault(value, fallback));
      return;
    }
    case "ObjectPattern":
      declareObject(machine, pattern, value, env, frame, go);
      return;
    case "ArrayPattern":
      pattern.elements.forEach((element, index) => {
        if (element === null) return;
        if (element.type === "RestElement") go(element.argument, restOf(value, index));
        else go(element, elementOf(value, index));
      });
      return;
    case "TSParameterProperty":
      go(pattern.parameter, value);
      return;
    case "RestElement":
      go(pattern.argument, value);
      return;
    default:
  }
}

function declareObject(
  machine: InterpreterContext,
  pattern: Extract<Node, { type: "ObjectPattern" }>,
  value: Value,
  env: Env,
  frame: Frame,
  go: (inner: Node, part: Value) => void,
): void {
  const taken = new Set<string>();
  for (const property of pattern.properties) {
    if (property.type === "RestElement") {
      go(property.argument, without(value, taken));
      continue;
    }
    const site: Site = { node: property, env, frame };
    for (const name of propertyNames(machine, property.key, property.computed, env, frame)) {
      taken.add(name);
      go(property.value, machine.property(value, name, site));
    }
  }
}

/** The possible names of a key; empty if they are not known. */
export function propertyNames(
  machine: InterpreterContext,
  key: Node,
  isComputed: boolean,
  env: Env,
  frame: Frame,
): string[] {
  return (literalsOf(keyValue(machine, key, isComputed, env, frame)) ?? []).map(String);
}

/** A key as a value. A computed key may be a secret. */
export function keyValue(
  machine: InterpreterContext,
  key: Node,
  isComputed: boolean,
  env: Env,
  frame: Frame,
): Value {
  if (!isComputed && key.type === "Identifier") return literal(key.name);
  if (key.type === "PrivateIdentifier") return literal(`#${key.name}`);
  return machine.evaluate(key as Expression, env, frame);
}

function orDefault(value: Value, fallback: Value): Value {
  if (value.kind === "literal") return value.value === undefined ? fallback : value;
  if (value.kind === "read") return applyDefault(value, fallback);
  return value.kind === "opaque" ? union([value, fallback]) : value;
}

function without(value: Value, taken: ReadonlySet<string>): Value {
  if (value.kind !== "object") return value.kind === "record" || value.kind === "headers" ? value : unknown;
  const left = [...value.properties].filter(([name]) => !taken.has(name));
  return createObject(undefined, new Map(left), value.rest);
}

function elementOf(value: Value, index: number): Value {
  if (value.kind === "union") return union(value.values.map((member) => elementOf(member, index)));
  if (value.kind === "text") return value;
  if (value.kind !== "array") return unknown;
  const item = value.items[index] ?? (value.isComplete ? literal(undefined) : unknown);
  return value.isShared ? loosenItem(item) : item;
}

function restOf(value: Value, from: number): Value {
  if (value.kind !== "array") return unknown;
  return createArray(value.items.slice(from), value.isComplete);
}
