import type { Node, Statement } from "oxc-parser";
import { childrenOf } from "../../source/source-file.ts";
import { runIfSent } from "../expressions/choices.ts";
import { keysOf } from "../expressions/natives.ts";
import { declarePattern } from "../expressions/patterns.ts";
import type { Ending, Frame, InterpreterContext } from "../interpreter-context.ts";
import {
  bodiesBehind,
  bodiesSince,
  deniedSince,
  guardBodies,
  opaqueOf,
  runUnder,
} from "../request/body-uses.ts";
import { truthOf, union } from "../values/alternatives.ts";
import { markEffects } from "../values/effects.ts";
import { Scope } from "../values/env.ts";
import type { GuardedInput } from "../values/reads.ts";
import { type Env, unknown, type Value } from "../values/value.ts";
import { mayBreak, runBranch } from "./branch.ts";

type Loop = Extract<
  Statement,
  { type: "ForStatement" | "WhileStatement" | "DoWhileStatement" | "ForInStatement" | "ForOfStatement" }
>;

export function runLoop(machine: InterpreterContext, node: Loop, env: Env, frame: Frame): Ending {
  const scope = new Scope(env.file, env);
  let isEndless = false;
  let over: Value | undefined;
  // Whether the body runs at least once.
  let isEntered = node.type === "DoWhileStatement";
  const usesBefore = frame.effects.uses.length;
  if (node.type === "ForStatement") {
    if (node.init?.type === "VariableDeclaration") machine.run([node.init], scope, frame);
    else if (node.init) machine.evaluate(node.init, scope, frame);
    if (node.test) isEntered = truthOf(machine.evaluate(node.test, scope, frame)) === true;
  } else if (node.type === "ForOfStatement" || node.type === "ForInStatement") {
    over = machine.evaluate(node.right, scope, frame);
    declareLoopVariable(machine, node, over, bodiesSince(frame.effects, usesBefore), scope, frame);
  } else {
    isEndless = truthOf(machine.evaluate(node.test, scope, frame)) === true;
  }
  for (const name of changedNames(node)) forget(scope, name);
  const steps = over?.kind === "array" && over.isComplete ? over.items : [];
  if (node.type === "ForOfStatement" && steps.length > 1 && steps.every(({ kind }) => kind === "function"))
    return runEach(machine, node, steps, scope, frame);
  const before = markEffects(frame.effects);
  const tested = bodiesSince(frame.effects, usesBefore);
  // Each value of a list parameter is checked.
  const sent = over?.kind === "read" && over.read.isList ? over : undefined;
  const { conditions } = frame;
  if (isEntered) frame.conditions--;
  const branch = runUnder(frame, tested, () =>
    runIfSent(frame, sent, () => runBranch(machine, [node.body], scope, frame)),
  );
  if (isEntered) frame.conditions = Math.max(conditions, frame.conditions + 1);
  if (deniedSince(frame.effects, before)) guardBodies(tested, frame);
  if (node.type === "ForStatement" && node.update) machine.evaluate(node.update, scope, frame);
  const isLeft = branch.ending === "returns" || branch.ending === "throws";
  return isEndless && isLeft && !mayBreak(node.body) ? branch.ending : "goes on";
}

/** Functions called one after the other: `for (const step of [check, load, show]) await step(e)`. */
function runEach(
  machine: InterpreterContext,
  node: Extract<Loop, { type: "ForOfStatement" }>,
  steps: readonly Value[],
  env: Env,
  frame: Frame,
): Ending {
  for (const step of steps) {
    const scope = new Scope(env.file, env);
    const pattern = node.left.type === "VariableDeclaration" ? node.left.declarations[0]!.id : node.left;
    declarePattern(machine, pattern as Node, step, scope, frame, (name, value) => {
      scope.declare(name, value, frame);
    });
    const ending = machine.run([node.body], scope, frame);
    if (ending === "returns" || ending === "throws") return ending;
    if (ending === "breaks") return "goes on";
  }
  return "goes on";
}

/** Variables that a loop changes are unknown in its body. */
function changedNames(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (inner: Node) => {
    const target =
      inner.type === "UpdateExpression"
        ? inner.argument
        : inner.type === "AssignmentExpression" && inner.operator !== "="
          ? inner.left
          : undefined;
    if (target?.type === "Identifier") names.add(target.name);
    for (const child of childrenOf(inner)) visit(child);
  };
  visit(node);
  return names;
}

function forget(env: Env, name: string): void {
  const binding = env.find(name);
  if (binding?.value?.kind === "literal" && typeof binding.value.value === "number") binding.value = unknown;
}

function declareLoopVariable(
  machine: InterpreterContext,
  node: Extract<Loop, { type: "ForOfStatement" | "ForInStatement" }>,
  over: Value,
  bodies: readonly GuardedInput[] | undefined,
  env: Env,
  frame: Frame,
): void {
  const item = itemOf(machine, over, node, env, frame);
  const pattern = node.left.type === "VariableDeclaration" ? node.left.declarations[0]!.id : node.left;
  declarePattern(machine, pattern as Node, item, env, frame, (name, value) => {
    env.declare(name, value, frame).bodies = bodies;
  });
}

function itemOf(machine: InterpreterContext, over: Value, node: Loop, env: Env, frame: Frame): Value {
  if (node.type === "ForInStatement") {
    return over.kind === "object" && !over.rest ? union(keysOf(over)) : unknown;
  }
  if (over.kind === "request" || over.kind === "raw") return { kind: "raw" };
  if (over.kind === "search") {
    const message =
      "This reads every query parameter, whatever its name, so their names are not in the document. Read them by name.";
    machine.report({ code: "PARAMETER_NAME_UNKNOWN", message }, { node, env, frame });
  }
  if (over.kind === "read" && over.read.isList) return { ...over, form: "text", whenMissing: "other" };
  if (over.kind !== "array") return opaqueOf(bodiesBehind(over));
  return over.items.length === 0 ? unknown : union(over.items);
}
