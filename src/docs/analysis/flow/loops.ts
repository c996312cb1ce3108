import type { Node, Statement } from "oxc-parser";
import { childrenOf } from "../source/source-file.ts";
import { bodiesBehind, bodiesSince, deniedSince, guardBodies, opaqueOf, runUnder } from "./body-uses.ts";
import { mayBreak, runBranch } from "./branch.ts";
import { markEffects } from "./effects.ts";
import { Scope } from "./env.ts";
import type { Ending, Frame, Machine } from "./machine.ts";
import { keysOf } from "./natives.ts";
import { declarePattern } from "./patterns.ts";
import { type Env, truthOf, union, unknown, type Value } from "./value.ts";

type Loop = Extract<
  Statement,
  { type: "ForStatement" | "WhileStatement" | "DoWhileStatement" | "ForInStatement" | "ForOfStatement" }
>;

export function runLoop(machine: Machine, node: Loop, env: Env, frame: Frame): Ending {
  const scope = new Scope(env.file, env);
  let isEndless = false;
  const usesBefore = frame.effects.uses.length;
  if (node.type === "ForStatement") {
    if (node.init?.type === "VariableDeclaration") machine.run([node.init], scope, frame);
    else if (node.init) machine.evaluate(node.init, scope, frame);
    if (node.test) machine.evaluate(node.test, scope, frame);
  } else if (node.type === "ForOfStatement" || node.type === "ForInStatement") {
    declareLoopVariable(machine, node, scope, frame);
  } else {
    isEndless = truthOf(machine.evaluate(node.test, scope, frame)) === true;
  }
  for (const name of changedNames(node)) forget(scope, name);
  const before = markEffects(frame.effects);
  const tested = bodiesSince(frame.effects, usesBefore);
  const branch = runUnder(frame, tested, () => runBranch(machine, [node.body], scope, frame));
  if (deniedSince(frame.effects, before)) guardBodies(tested, frame);
  if (node.type === "ForStatement" && node.update) machine.evaluate(node.update, scope, frame);
  const isLeft = branch.ending === "returns" || branch.ending === "throws";
  return isEndless && isLeft && !mayBreak(node.body) ? branch.ending : "goes on";
}

/** What a loop counts up may be anything in its body. */
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
  machine: Machine,
  node: Extract<Loop, { type: "ForOfStatement" | "ForInStatement" }>,
  env: Env,
  frame: Frame,
): void {
  const usesBefore = frame.effects.uses.length;
  const over = machine.evaluate(node.right, env, frame);
  const bodies = bodiesSince(frame.effects, usesBefore);
  const item = itemOf(machine, over, node, env, frame);
  const pattern = node.left.type === "VariableDeclaration" ? node.left.declarations[0]!.id : node.left;
  declarePattern(machine, pattern as Node, item, env, frame, (name, value) => {
    env.declare(name, value, frame).bodies = bodies;
  });
}

function itemOf(machine: Machine, over: Value, node: Loop, env: Env, frame: Frame): Value {
  if (node.type === "ForInStatement") {
    return over.kind === "object" && !over.rest ? union(keysOf(over)) : unknown;
  }
  if (over.kind === "request" || over.kind === "raw") return { kind: "raw" };
  if (over.kind === "search") {
    const message =
      "This reads every query parameter, whatever its name, so their names are not in the document; read them by name.";
    machine.report({ code: "PARAMETER_NAME_UNKNOWN", message }, { node, env, frame });
  }
  if (over.kind !== "array") return opaqueOf(bodiesBehind(over));
  return over.items.length === 0 ? unknown : union(over.items);
}
