import type { Expression, Node } from "oxc-parser";
import { array } from "./arrays.ts";
import type { Frame, Machine } from "./machine.ts";
import { propertyNames } from "./patterns.ts";
import type { Env } from "./value.ts";
import { type Declared, undefinedValue, unknown, type Value } from "./value.ts";

export function evaluateObject(
  machine: Machine,
  node: Extract<Expression, { type: "ObjectExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const properties = new Map<string, Value>();
  const object: Value = { kind: "object", properties, rest: undefined };
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      const spread = machine.evaluate(property.argument, env, frame);
      if (spread.kind === "object")
        for (const [name, value] of spread.properties) properties.set(name, value);
      object.rest ??= spread.kind === "object" ? spread.rest : spread;
      continue;
    }
    const names = propertyNames(machine, property.key, property.computed, env, frame);
    if (property.kind === "get" || property.kind === "set") {
      for (const name of names) properties.set(name, unknown);
      continue;
    }
    const value = machine.evaluate(property.value, env, frame);
    if (names.length === 0) object.rest ??= unknown;
    for (const name of names) {
      const declared = { file: env.file, start: property.start, name };
      const method = property.method && value.kind === "function" ? { ...value, self: object } : value;
      properties.set(name, nameFunction(method, property.value, declared));
    }
  }
  return object;
}

/** A function has its name, and its comments, from where it is first put. */
export function nameFunction(value: Value, node: Node, declared: Declared): Value {
  if (value.kind !== "function") return value;
  const isWritten = value.file === declared.file && value.node.start === node.start;
  if (!isWritten && node.type !== "CallExpression") return value;
  return { ...value, declared: [declared, ...value.declared] };
}

export function evaluateArray(
  machine: Machine,
  node: Extract<Expression, { type: "ArrayExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const result = array([]);
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
