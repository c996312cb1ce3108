import type { Expression, Node } from "oxc-parser";
import type { Frame, InterpreterContext } from "../interpreter-context.ts";
import { hasSecret, literalsOf, union } from "../values/alternatives.ts";
import { conceal } from "../values/secrets.ts";
import {
  createArray,
  createObject,
  type Declared,
  type Env,
  type ObjectValue,
  undefinedValue,
  unknown,
  type Value,
} from "../values/value.ts";
import { keyValue } from "./patterns.ts";

export function evaluateObject(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "ObjectExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const object = createObject(frame);
  const { properties } = object;
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      spreadInto(object, machine.evaluate(property.argument, env, frame));
      continue;
    }
    const key = keyValue(machine, property.key, property.computed, env, frame);
    const names = (literalsOf(key) ?? []).map(String);
    if (hasSecret(key)) object.isSecret = true;
    const value = machine.evaluate(property.value, env, frame);
    if (property.kind === "get" && value.kind === "function") {
      for (const name of names) properties.set(name, { ...value, self: object, isGetter: true });
    }
    if (property.kind !== "init") continue;
    if (names.length === 0) object.rest ??= unknown;
    for (const name of names) {
      const declared = { file: env.file, start: property.start, name };
      const method = property.method && value.kind === "function" ? { ...value, self: object } : value;
      properties.set(name, conceal(name, nameFunction(method, property.value, declared)));
    }
  }
  return object;
}

/** `{ ...defaults, ...given }`: later properties replace earlier ones. */
export function spreadInto(object: ObjectValue, spread: Value): void {
  const { properties } = object;
  if (spread.kind === "object") {
    for (const [name, value] of spread.properties) properties.set(name, value);
    if (spread.rest) object.rest ??= spread.rest;
    if (spread.rest?.kind === "opaque") widen(properties, spread.properties);
    return;
  }
  const objects = spread.kind === "union" ? spread.values.filter((member) => member.kind === "object") : [];
  for (const [name, value] of objects.flatMap((member) => [...member.properties])) {
    properties.set(name, union([properties.get(name) ?? undefinedValue, value]));
  }
  if (spread.kind === "union" && objects.length === spread.values.length) return;
  if (spread.kind === "literal") return;
  object.rest ??= spread;
  // `{ ...defaults, ...environment }`: each of them may have been replaced.
  if (["opaque", "union", "native"].includes(spread.kind)) widen(properties, new Map());
}

/** All properties except these may have changed. */
function widen(properties: Map<string, Value>, except: ReadonlyMap<string, Value>): void {
  for (const [name, value] of properties)
    if (!except.has(name)) properties.set(name, union([value, unknown]));
}

/** A function gets its name and its comments from the place where it is first assigned. */
export function nameFunction(value: Value, node: Node, declared: Declared): Value {
  if (value.kind !== "function") return value;
  const isWritten = value.file === declared.file && value.node.start === node.start;
  if (!isWritten && node.type !== "CallExpression") return value;
  return { ...value, declared: [declared, ...value.declared] };
}

export function evaluateArray(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "ArrayExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const result = createArray([], true, frame);
  const [only] = node.elements;
  if (node.elements.length === 1 && only?.type === "SpreadElement") {
    const spread = machine.evaluate(only.argument, env, frame);
    if (spread.kind === "search") return spread;
  }
  for (const element of node.elements) {
    if (element === null) result.items.push(undefinedValue);
    else if (element.type === "SpreadElement") {
      const spread = machine.evaluate(element.argument, env, frame);
      if (spread.kind === "array") result.items.push(...spread.items);
      if (spread.kind !== "array" || !spread.isComplete) result.isComplete = false;
    } else result.items.push(machine.evaluate(element, env, frame));
  }
  return result;
}
