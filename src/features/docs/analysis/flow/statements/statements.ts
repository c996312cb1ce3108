import type { Expression, Node, Statement } from "oxc-parser";
import { settleServed } from "../expressions/choices.ts";
import { nameFunction } from "../expressions/literals.ts";
import { declarePattern } from "../expressions/patterns.ts";
import { throwValue } from "../expressions/throwing.ts";
import type { Ending, Frame, InterpreterContext } from "../interpreter-context.ts";
import { readsNamedIn, settleChoices } from "../request/access.ts";
import { bodiesSince, settleGates } from "../request/body-uses.ts";
import { literalsOf } from "../values/alternatives.ts";
import { refuses } from "../values/denials.ts";
import { markEffects } from "../values/effects.ts";
import { Scope } from "../values/env.ts";
import { createObject, type Env, instanceOr, undefinedValue, unknown, type Value } from "../values/value.ts";
import { mayBreak, runBranch, takeCutOff } from "./branch.ts";
import { runIf, runSwitch } from "./branches.ts";
import { runTry } from "./catching.ts";
import { runLoop } from "./loops.ts";

/** Follows statements in order, until one ends the execution. */
export function runStatements(
  machine: InterpreterContext,
  statements: readonly Statement[],
  env: Env,
  frame: Frame,
): Ending {
  hoist(machine, statements, env, frame);
  const choices = frame.choices.length;
  const gates = frame.gates.length;
  const served = frame.served.length;
  for (const statement of statements) {
    const before = markEffects(frame.effects);
    const ending = runStatement(machine, statement, env, frame);
    if (ending === "goes on") continue;
    const isRefusal = ending === "throws" || (ending === "returns" && refuses(frame.effects, before));
    settleChoices(frame, choices, ending, isRefusal);
    settleGates(frame, gates, ending, before);
    settleServed(frame, served, isRefusal);
    return ending;
  }
  frame.served.length = served;
  return "goes on";
}

/** Functions and classes can be used before their declaration, and so can constants inside a function. */
function hoist(machine: InterpreterContext, statements: readonly Statement[], env: Env, frame: Frame): void {
  for (const statement of statements) {
    if (statement.type === "FunctionDeclaration" && statement.id) {
      env.declare(statement.id.name, {
        kind: "function",
        node: statement,
        file: env.file,
        env,
        self: undefined,
        declared: [{ file: env.file, start: statement.start, name: statement.id.name }],
      });
    } else if (statement.type === "ClassDeclaration" && statement.id) {
      env.declare(statement.id.name, { kind: "class", node: statement, file: env.file, env });
    } else if (statement.type === "TSEnumDeclaration") {
      env.declare(statement.id.name, undefined, undefined, () => enumOf(machine, statement, env, frame));
    } else if (statement.type === "VariableDeclaration") {
      for (const { id, init } of statement.declarations) {
        if (id.type === "Identifier" && init && isFunction(init)) {
          env.declare(id.name, undefined, frame, () => {
            const declared = { file: env.file, start: statement.start, name: id.name };
            return nameFunction(machine.evaluate(init, env, frame), init, declared);
          });
        }
      }
    }
  }
}

const isFunction = ({ type }: Node) => type === "ArrowFunctionExpression" || type === "FunctionExpression";

function enumOf(
  machine: InterpreterContext,
  node: Extract<Statement, { type: "TSEnumDeclaration" }>,
  env: Env,
  frame: Frame,
): Value {
  const properties = new Map<string, Value>();
  let next: number | undefined = 0;
  for (const { id, initializer } of node.body.members) {
    const name = id.type === "Identifier" ? id.name : id.type === "Literal" ? String(id.value) : undefined;
    if (name === undefined) continue;
    const value: Value = initializer
      ? machine.evaluate(initializer, env, frame)
      : next === undefined
        ? unknown
        : { kind: "literal", value: next };
    properties.set(name, value);
    const [number]: unknown[] = literalsOf(value) ?? [];
    next = typeof number === "number" ? number + 1 : undefined;
  }
  return createObject(undefined, properties);
}

function runStatement(machine: InterpreterContext, node: Statement, env: Env, frame: Frame): Ending {
  const evaluate = (inner: Expression) => machine.evaluate(inner, env, frame);
  const cutOff = (): Ending => (takeCutOff(frame) ? "throws" : "goes on");
  switch (node.type) {
    case "ExpressionStatement":
      evaluate(node.expression);
      return cutOff();
    case "VariableDeclaration":
      declareVariables(machine, node, env, frame);
      return cutOff();
    case "ReturnStatement":
      frame.returned.push(node.argument ? returnValue(machine, node.argument, env, frame) : undefinedValue);
      return takeCutOff(frame) ? "throws" : "returns";
    case "ThrowStatement":
      throwValue(machine, node, evaluate(node.argument), env, frame);
      frame.isCutOff = false;
      return "throws";
    case "BlockStatement":
      return machine.run(node.body, new Scope(env.file, env), frame);
    case "IfStatement":
      return runIf(machine, node, env, frame);
    case "SwitchStatement":
      return runSwitch(machine, node, env, frame);
    case "TryStatement":
      return runTry(machine, node, env, frame);
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForInStatement":
    case "ForOfStatement":
      return runLoop(machine, node, env, frame);
    case "LabeledStatement":
      if (!mayBreak(node.body, true)) return machine.run([node.body], env, frame);
      runBranch(machine, [node.body], env, frame);
      return "goes on";
    case "BreakStatement":
    case "ContinueStatement":
      return "breaks";
    default:
      return "goes on";
  }
}

/** In a `try`, `return load()` passes the promise on, but `return await load()` does not. */
function returnValue(machine: InterpreterContext, argument: Expression, env: Env, frame: Frame): Value {
  const { throws } = frame.effects;
  const thrownBefore = throws.length;
  const value = machine.evaluate(argument, env, frame);
  if (frame.uncertain > 0 && argument.type === "CallExpression" && machine.gavePromise)
    frame.escaped.push(...throws.splice(thrownBefore));
  return value;
}

function declareVariables(
  machine: InterpreterContext,
  node: Extract<Statement, { type: "VariableDeclaration" }>,
  env: Env,
  frame: Frame,
): void {
  for (const { id, init } of node.declarations) {
    const readsBefore = frame.effects.reads.length;
    const usesBefore = frame.effects.uses.length;
    const evaluated = init
      ? machine.evaluate(init, env, frame)
      : ({ kind: "literal", value: undefined } as const);
    const type = id.typeAnnotation?.typeAnnotation;
    if (evaluated.kind === "body" && type)
      evaluated.body.types.unshift({ kind: "type", place: machine.placeOf(type, env) });
    const typed =
      evaluated.kind === "opaque" ? instanceOr(machine.instanceOf(type, env), evaluated) : evaluated;
    const name = id.type === "Identifier" ? id.name : undefined;
    const value =
      init && name ? nameFunction(typed, init, { file: env.file, start: node.start, name }) : typed;
    declarePattern(machine, id, value, env, frame, (each, part) => {
      const binding = env.declare(each, part, frame);
      if (type && each === name) binding.typeAt = machine.placeOf(type, env);
      if (init && !isFunction(init))
        binding.from = [...frame.effects.reads.slice(readsBefore), ...readsNamedIn(init, env)];
      if (init && !isFunction(init)) binding.bodies = bodiesSince(frame.effects, usesBefore);
    });
  }
}
