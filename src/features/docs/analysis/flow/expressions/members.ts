import type { Expression } from "oxc-parser";
import type { Frame, InterpreterContext, Site } from "../interpreter-context.ts";
import { union } from "../values/alternatives.ts";
import { type Env, undefinedValue, unknown, type Value } from "../values/value.ts";
import { lookUp } from "./natives.ts";
import { propertyNames } from "./patterns.ts";

type MemberNode = Extract<Expression, { type: "MemberExpression" }>;

export function evaluateMember(machine: InterpreterContext, node: MemberNode, env: Env, frame: Frame): Value {
  if (node.object.type === "Super") {
    const [name] = propertyNames(machine, node.property, node.computed, env, frame);
    return name === undefined ? unknown : machine.inherited(name, frame);
  }
  return memberOf(machine, node, machine.evaluate(node.object, env, frame), env, frame);
}

/** A property of an evaluated object. */
export function memberOf(
  machine: InterpreterContext,
  node: MemberNode,
  object: Value,
  env: Env,
  frame: Frame,
): Value {
  const site: Site = { node, env, frame };
  const names = propertyNames(machine, node.property, node.computed, env, frame);
  if (names.length > 0) return union(names.map((name) => machine.property(object, name, site)));
  // For an unknown key, the item may be missing.
  if (object.kind === "array")
    return union([...object.items, undefinedValue, ...(object.isComplete ? [] : [unknown])]);
  // `COLUMNS[q]`, where only the existence of the key matters.
  if (object.kind === "object" && [...object.properties.values()].every(isConstant)) {
    const key = node.computed ? machine.evaluate(node.property as Expression, env, frame) : unknown;
    const found = lookUp(object, key);
    if (found) return found;
  }
  if (object.kind === "object")
    return union([...object.properties.values(), undefinedValue, ...(object.rest ? [unknown] : [])]);
  if (object.kind === "record" || object.kind === "headers") {
    const message =
      "The name of this parameter is built at run time, so it is not in the document. Use a string literal, a constant, or an `as const` list.";
    machine.report({ code: "PARAMETER_NAME_UNKNOWN", message }, site);
  }
  return unknown;
}

const isConstant = (value: Value) => value.kind === "literal" && Boolean(value.value);
