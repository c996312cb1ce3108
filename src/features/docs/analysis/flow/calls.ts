import type { Argument as ArgumentNode, Expression } from "oxc-parser";
import { memberOf } from "./expressions/members.ts";
import type { Argument, Caught, Frame, InterpreterContext, Site } from "./interpreter-context.ts";
import { guardAll } from "./request/access.ts";
import { bodiesSince, guardBodies, makeOptional } from "./request/body-uses.ts";
import { holdConstraints } from "./request/constraints.ts";
import { originOf } from "./request/origins.ts";
import { rethrown } from "./statements/catching.ts";
import { literalsOf } from "./values/alternatives.ts";
import { mentionsDenial } from "./values/denials.ts";
import { type Env, type FunctionValue, unknown, type Value } from "./values/value.ts";

export function evaluateCall(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "CallExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { callee } = node;
  if (callee.type === "Super") {
    evaluateArguments(machine, node.arguments, env, frame);
    return unknown;
  }
  const { throws } = frame.effects;
  const thrownBefore = throws.length;
  const usesBefore = frame.effects.uses.length;
  const bodiesBefore = frame.effects.bodies.length;
  const queriesBefore = frame.effects.queries.length;
  const isMethod = callee.type === "MemberExpression" && callee.object.type !== "Super";
  const method = isMethod && callee.property.type === "Identifier" ? callee.property.name : undefined;
  const catcher = method === "catch" ? 0 : method === "then" && node.arguments.length > 1 ? 1 : undefined;
  const restoreConstraints = catcher === undefined ? () => {} : holdConstraints(frame);
  const receiver = isMethod ? machine.evaluate(callee.object as Expression, env, frame) : undefined;
  const target =
    receiver && isMethod
      ? memberOf(machine, callee, receiver, env, frame)
      : machine.evaluate(callee, env, frame);
  const site: Site = { node, env, frame, receiver };
  if (catcher !== undefined) {
    const before = { thrownBefore, usesBefore, bodiesBefore, queriesBefore, restoreConstraints };
    return callCatcher(machine, { site, target, catcher, ...before });
  }
  const args = evaluateArguments(machine, node.arguments, env, frame);
  if (target.kind === "native" && target.name === "Promise.allSettled") throws.length = thrownBefore;
  return machine.call(target, args, site);
}

interface Catcher {
  readonly site: Site;
  readonly target: Value;
  readonly thrownBefore: number;
  readonly usesBefore: number;
  readonly bodiesBefore: number;
  readonly queriesBefore: number;
  readonly restoreConstraints: () => void;
  /** The index of the argument that receives the error. */
  readonly catcher: number;
}

/** A promise's `catch`, or the second function of its `then`, handles its rejections, unless it throws them again. */
function callCatcher(machine: InterpreterContext, catching: Catcher): Value {
  const { site, target, thrownBefore, usesBefore, restoreConstraints, catcher } = catching;
  const { node, env, frame, receiver } = site;
  const bodies = frame.effects.bodies.slice(catching.bodiesBefore);
  const queries = frame.effects.queries.slice(catching.queriesBefore);
  const { throws, responses } = frame.effects;
  const responsesBefore = responses.length;
  const before = throws.splice(thrownBefore);
  const held: Value = { kind: "union", values: [...before.map(({ error }) => error), unknown] };
  const caught: Caught = { isRethrown: false, handled: [] };
  machine.caught.set(held, caught);
  const args = evaluateArguments(machine, (node as { arguments: ArgumentNode[] }).arguments, env, frame);
  for (const [index, { value }] of args.entries()) {
    machine.callLater(value, [index === catcher ? held : unknown], site, true);
  }
  machine.caught.delete(held);
  const own = throws.splice(thrownBefore).filter(({ error }) => !before.some((each) => each.error === error));
  throws.push(...(caught.isRethrown ? rethrown(before, caught) : []), ...own);
  if (!caught.isRethrown) for (const read of [...bodies, ...queries]) read.isCaught = true;
  const isServed = !caught.isRethrown && own.length === 0 && responses.length === responsesBefore;
  if (isServed) makeOptional(bodies);
  if (isServed) for (const query of queries) query.isRequired = false;
  if (isServed) restoreConstraints();
  if (mentionsDenial({ responses: [], throws: own })) guardAll(frame);
  if (mentionsDenial({ responses: responses.slice(responsesBefore), throws: own }))
    guardBodies(bodiesSince(frame.effects, usesBefore), frame);
  if (target.kind === "function") return machine.call(target, args, site);
  return receiver?.kind === "body" ? receiver : unknown;
}

export function evaluateArguments(
  machine: InterpreterContext,
  nodes: readonly ArgumentNode[],
  env: Env,
  frame: Frame,
): Argument[] {
  const args: Argument[] = [];
  for (const node of nodes) {
    const usesBefore = frame.effects.uses.length;
    if (node.type !== "SpreadElement") {
      const value = machine.evaluate(node, env, frame);
      const bodies = bodiesSince(frame.effects, usesBefore);
      args.push({ value, origin: originOf(machine, node, env, frame), bodies });
      continue;
    }
    const spread = machine.evaluate(node.argument, env, frame);
    const origin = { places: [machine.placeOf(node.argument, env)] };
    const bodies = bodiesSince(frame.effects, usesBefore);
    if (spread.kind === "array") args.push(...spread.items.map((value) => ({ value, origin, bodies })));
    if (spread.kind !== "array" || !spread.isComplete) break;
  }
  return args;
}

export function importModule(machine: InterpreterContext, source: Value, env: Env): Value {
  const [specifier] = literalsOf(source) ?? [];
  const path = typeof specifier === "string" ? machine.files.resolve(env.file.path, specifier) : undefined;
  return path === undefined ? unknown : { kind: "module", path };
}

/** The functions among the arguments, for the function created from them. */
export const functionsIn = (args: readonly Argument[]): FunctionValue[] =>
  args.flatMap(({ value }) => (value.kind === "function" ? [value] : []));
