import type { Expression, Node } from "oxc-parser";
import type { Frame, InterpreterContext } from "../interpreter-context.ts";
import { bodiesAround, bodiesSince, opaqueOf, withBodies } from "../request/body-uses.ts";
import { respondUnknown } from "../request/request-parts.ts";
import { union } from "../values/alternatives.ts";
import { applyDefault } from "../values/read-uses.ts";
import type { GuardedInput } from "../values/reads.ts";
import { type Binding, type Env, type Holder, undefinedValue, unknown, type Value } from "../values/value.ts";
import { declarePattern, propertyNames } from "./patterns.ts";

export function evaluateAssignment(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "AssignmentExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { left, operator } = node;
  const usesBefore = frame.effects.uses.length;
  let value = machine.evaluate(node.right, env, frame);
  const bodies = [...(bodiesSince(frame.effects, usesBefore) ?? []), ...bodiesAround(frame)];
  if (left.type === "MemberExpression") {
    assignMember(machine, left, withBodies(operator === "=" ? value : unknown, bodies), env, frame);
    return value;
  }
  const isJoined = operator === "+=" || operator === "??=" || operator === "||=" || operator === "&&=";
  const current = left.type === "Identifier" ? env.lookup(left.name) : undefined;
  if (operator === "??=" || operator === "||=")
    value = current?.kind === "read" ? applyDefault(current, value) : union([current ?? unknown, value]);
  else if (isJoined && [current, value].some((each) => each?.kind === "raw")) value = { kind: "raw" };
  else if (operator !== "=") value = unknown;
  declarePattern(machine, left as Node, value, env, frame, (name, part) =>
    assignName(machine, env, frame, name, part, bodies),
  );
  return value;
}

/** `n++`: the counter's value is no longer known. */
export function evaluateUpdate(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "UpdateExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { argument } = node;
  machine.evaluate(argument as Expression, env, frame);
  if (argument.type === "Identifier")
    assignName(machine, env, frame, argument.name, unknown, bodiesAround(frame));
  else if (argument.type === "MemberExpression")
    assignMember(machine, argument, opaqueOf(bodiesAround(frame)), env, frame);
  return unknown;
}

function assignName(
  machine: InterpreterContext,
  env: Env,
  frame: Frame,
  name: string,
  value: Value,
  bodies: readonly GuardedInput[],
): void {
  const binding = env.find(name);
  if (!binding) return;
  if (bodies.length > 0) binding.bodies = [...new Set([...(binding.bodies ?? []), ...bodies])];
  const before = isSure(frame, binding) ? undefined : env.lookup(name);
  if (value.kind === "body" && binding.typeAt)
    value.body.types.unshift({ kind: "type", place: binding.typeAt });
  machine.touch(env.bornOf(name) ?? 0);
  env.assign(name, before ? joinAssigned(before, value, frame) : value);
}

/** `let n = 10; if (q) n = Number(q);`: the previous value is the default. */
function joinAssigned(before: Value, value: Value, { presence, conditions }: Frame): Value {
  const isOnlyIfSent =
    value.kind === "read" &&
    conditions === presence.length &&
    presence.every((read) => read.in === value.read.in && read.name === value.read.name);
  return isOnlyIfSent && before.kind === "literal" ? applyDefault(value, before) : union([before, value]);
}

/** Whether every path from the declaration or creation passes through the current location. */
export function isSure(frame: Frame, { holder, depth }: Pick<Binding, "holder" | "depth">): boolean {
  for (let each: Holder | undefined = frame; each; each = each.caller) {
    const conditions = each.conditions + each.uncertain;
    if (each === holder) return conditions <= depth;
    if (conditions > 0) return false;
  }
  return false;
}

function assignMember(
  machine: InterpreterContext,
  left: Extract<Expression, { type: "MemberExpression" }>,
  value: Value,
  env: Env,
  frame: Frame,
): void {
  const target =
    left.object.type === "Super" ? unknown : machine.evaluate(left.object as Expression, env, frame);
  const names = propertyNames(machine, left.property, left.computed, env, frame);
  const isMutable = target.kind === "object" || target.kind === "instance" || target.kind === "array";
  const join = (before: Value | undefined) =>
    isMutable && isSure(frame, target) ? value : union([before ?? undefinedValue, value]);
  if (isMutable) machine.touch(target.createdIn);
  for (const name of names) {
    if (target.kind === "object") target.properties.set(name, join(target.properties.get(name)));
    if (target.kind === "instance") {
      target.fields.set(name, join(target.fields.get(name)));
      target.changes++;
    }
    if (target.kind === "response" && name === "statusCode")
      respondUnknown(machine, value, undefined, { node: left, env, frame });
  }
  if (target.kind === "object" && names.length === 0) target.rest ??= unknown;
  if (target.kind === "array") {
    target.items.push(value);
    target.isComplete = false;
  }
}
