import type { Expression, Node } from "oxc-parser";
import type { Frame, Machine } from "./machine.ts";
import { declarePattern, propertyNames } from "./patterns.ts";
import { applyDefault } from "./read-uses.ts";
import { answerOpen } from "./request-parts.ts";
import type { Env } from "./value.ts";
import { undefinedValue, union, unknown, type Value } from "./value.ts";

export function evaluateAssignment(
  machine: Machine,
  node: Extract<Expression, { type: "AssignmentExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { left, operator } = node;
  let value = machine.evaluate(node.right, env, frame);
  if (left.type === "MemberExpression") {
    assignMember(machine, left, value, env, frame);
    return value;
  }
  const isJoined = operator === "+=" || operator === "??=" || operator === "||=" || operator === "&&=";
  const current = left.type === "Identifier" ? env.lookup(left.name) : undefined;
  if (operator === "??=" || operator === "||=")
    value = current?.kind === "read" ? applyDefault(current, value) : union([current ?? unknown, value]);
  else if (isJoined && [current, value].some((each) => each?.kind === "raw")) value = { kind: "raw" };
  else if (operator !== "=") value = unknown;
  declarePattern(machine, left as Node, value, env, frame, (name, part) =>
    assignName(env, frame, name, part),
  );
  return value;
}

function assignName(env: Env, frame: Frame, name: string, value: Value): void {
  const binding = env.find(name);
  if (!binding) return;
  const before = frame.conditions > binding.depth ? env.lookup(name) : undefined;
  binding.argument = undefined;
  binding.value = before ? union([before, value]) : value;
}

function assignMember(
  machine: Machine,
  left: Extract<Expression, { type: "MemberExpression" }>,
  value: Value,
  env: Env,
  frame: Frame,
): void {
  const target = left.object.type === "Super" ? unknown : machine.evaluate(left.object, env, frame);
  const names = propertyNames(machine, left.property, left.computed, env, frame);
  for (const name of names) {
    if (target.kind === "object")
      target.properties.set(
        name,
        frame.conditions > 0 ? union([target.properties.get(name) ?? undefinedValue, value]) : value,
      );
    if (target.kind === "instance") target.fields.set(name, value);
    if (target.kind === "response" && name === "statusCode")
      answerOpen(machine, value, undefined, { node: left, env, frame });
  }
  if (target.kind === "object" && names.length === 0) target.rest ??= unknown;
}
