import type { Argument as ArgumentNode, Expression } from "oxc-parser";
import type { Argument, Frame, Machine, Site } from "./machine.ts";
import type { Origin } from "./reads.ts";
import type { Env } from "./value.ts";
import { type FunctionValue, literalsOf, unknown, type Value } from "./value.ts";

export function evaluateCall(
  machine: Machine,
  node: Extract<Expression, { type: "CallExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const site: Site = { node, env, frame };
  const { callee } = node;
  if (callee.type === "Super") {
    evaluateArguments(machine, node.arguments, env, frame);
    return unknown;
  }
  const thrownBefore = frame.effects.throws.length;
  const target = machine.evaluate(callee, env, frame);
  const method =
    callee.type === "MemberExpression" && callee.property.type === "Identifier"
      ? callee.property.name
      : undefined;
  // What a promise rejects with ends in its `catch`, or in the second function of its `then`.
  if (method === "catch" || (method === "then" && node.arguments.length > 1))
    frame.effects.throws.length = thrownBefore;
  const args = evaluateArguments(machine, node.arguments, env, frame);
  if (target.kind === "native" && target.name === "Promise.allSettled")
    frame.effects.throws.length = thrownBefore;
  return machine.call(target, args, site);
}

export function evaluateArguments(
  machine: Machine,
  nodes: readonly ArgumentNode[],
  env: Env,
  frame: Frame,
): Argument[] {
  const args: Argument[] = [];
  for (const node of nodes) {
    if (node.type !== "SpreadElement") {
      args.push({ value: machine.evaluate(node, env, frame), origin: originOf(machine, node, env) });
      continue;
    }
    const spread = machine.evaluate(node.argument, env, frame);
    const origin = { places: [machine.placeOf(node.argument, env)] };
    if (spread.kind === "array") args.push(...spread.items.map((value) => ({ value, origin })));
    if (spread.kind !== "array" || !spread.isComplete) break;
  }
  return args;
}

/** Where a value was written; a mere name of a parameter stands for what the caller wrote. */
export function originOf(machine: Machine, node: Expression, env: Env): Origin {
  const places = [machine.placeOf(node, env)];
  const bare = node.type === "AwaitExpression" ? node.argument : node;
  const argument = bare.type === "Identifier" ? env.find(bare.name)?.argument : undefined;
  return argument === undefined ? { places } : { places, argument };
}

export function importModule(machine: Machine, source: Value, env: Env): Value {
  const [specifier] = literalsOf(source) ?? [];
  const path = typeof specifier === "string" ? machine.files.resolve(env.file.path, specifier) : undefined;
  return path === undefined ? unknown : { kind: "module", path };
}

/** The functions among values, for a function that was made of them. */
export const functionsIn = (args: readonly Argument[]): FunctionValue[] =>
  args.flatMap(({ value }) => (value.kind === "function" ? [value] : []));
