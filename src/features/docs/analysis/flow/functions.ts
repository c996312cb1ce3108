import type { Expression, Node, Statement } from "oxc-parser";
import { declarePattern } from "./expressions/patterns.ts";
import {
  type Argument,
  createFrame,
  type Ending,
  type Frame,
  type InterpreterContext,
} from "./interpreter-context.ts";
import type { Summary } from "./summaries.ts";
import { union } from "./values/alternatives.ts";
import { Scope } from "./values/env.ts";
import { applyDefault, isSameRead, orNothing } from "./values/read-uses.ts";
import {
  createArray,
  type Env,
  type FunctionValue,
  instanceOr,
  literal,
  type ReadValue,
  undefinedValue,
  unknown,
  type Value,
} from "./values/value.ts";

/** Follows the body of a function once, with certain arguments. */
export function runFunction(
  machine: InterpreterContext,
  callee: FunctionValue,
  args: readonly Argument[],
  caller: Frame | undefined,
): Summary {
  const { node, file, self } = callee;
  const env = new Scope(file, callee.env);
  const frame = createFrame({ caller, self, home: callee.home });
  declareParameters(machine, callee, args, env, frame);
  const { effects } = frame;
  if (!node.body) return { effects, returns: unknown, comesBack: true };
  if (node.type === "ArrowFunctionExpression" && node.expression) {
    const returns = machine.evaluate(node.body as Expression, env, frame);
    return { effects, returns, comesBack: !frame.isCutOff };
  }
  const ending = machine.run((node.body as { body: Statement[] }).body, env, frame);
  effects.throws.push(...frame.escaped);
  return { effects, returns: returnsOf(machine, callee, frame), comesBack: comesBack(node, ending, frame) };
}

function declareParameters(
  machine: InterpreterContext,
  { node, env: outer }: FunctionValue,
  args: readonly Argument[],
  env: Env,
  frame: Frame,
): void {
  // A `this` parameter is a type, not an argument.
  const params = node.params.filter(
    (parameter) => !(parameter.type === "Identifier" && parameter.name === "this"),
  );
  params.forEach((parameter, index) => {
    const rest = parameter.type === "RestElement";
    const given = rest
      ? createArray(args.slice(index).map(({ value }) => value))
      : (args[index]?.value ?? undefinedValue);
    const annotation = "typeAnnotation" in parameter ? parameter.typeAnnotation?.typeAnnotation : undefined;
    const instance = given.kind === "opaque" ? machine.instanceOf(annotation, outer) : unknown;
    const value = instance.kind === "opaque" ? given : instance;
    declarePattern(machine, parameter, value, env, frame, (name, part) => {
      const binding = env.declare(name, part, frame);
      if (parameter.type === "Identifier") binding.argument = index;
      binding.bodies = rest ? args.slice(index).flatMap(({ bodies = [] }) => bodies) : args[index]?.bodies;
    });
  });
}

function returnsOf(machine: InterpreterContext, { node, env }: FunctionValue, frame: Frame): Value {
  if (frame.returned.length === 0) return literal(undefined);
  const typed = (value: Value) => instanceOr(machine.instanceOf(returnedType(node), env), value);
  return union(withDefaults(frame).map((value) => (value.kind === "opaque" ? typed(value) : value)));
}

/** A function that only throws its own error is often a placeholder and says nothing about its callers. */
function comesBack(node: FunctionValue["node"], ending: Ending, { returned, effects }: Frame): boolean {
  return (
    ending !== "throws" ||
    returned.length > 0 ||
    (effects.throws.length === 0 && node.returnType?.typeAnnotation.type !== "TSNeverKeyword")
  );
}

/** The declared return type of a function, or the type that its promise resolves with. */
function returnedType({ returnType }: FunctionValue["node"]): Node | undefined {
  const type = returnType?.typeAnnotation;
  const isPromise =
    type?.type === "TSTypeReference" &&
    type.typeName.type === "Identifier" &&
    type.typeName.name === "Promise";
  return isPromise ? type.typeArguments?.params[0] : (type ?? undefined);
}

/** The return values of a function. A constant returned for a missing parameter is the default of that parameter. */
function withDefaults({ returned, fallbacks }: Frame): readonly Value[] {
  return fallbacks.reduce<readonly Value[]>((values, { missing, value }) => {
    const others = values.filter((each) => each !== value);
    const isNothing = value.value === undefined || value.value === null;
    const [only, another] = others;
    const whole = isNothing && only && !another ? orNothing(only, value, missing) : undefined;
    if (whole) return [whole];
    if (isNothing || others.length === values.length) return values;
    const readIn = (each: Value) =>
      each.kind === "opaque" && each.from?.length === 1 ? each.from[0]! : each;
    const isOf = (each: Value): each is ReadValue =>
      each.kind === "read" && missing.some((read) => isSameRead(read, each));
    if (!others.some((each) => isOf(readIn(each)))) return values;
    // Values computed from the parameter have the same default.
    return others.map((each) => {
      const read = readIn(each);
      const withDefault = isOf(read) ? applyDefault(read, value) : each;
      return isOf(each) ? withDefault : each;
    });
  }, returned);
}
