import type { Argument as ArgumentNode, Expression, Node } from "oxc-parser";
import { isCertain } from "./certainty.ts";
import { evaluateCondition } from "./conditions.ts";
import type { Argument, Frame, Machine, Site } from "./machine.ts";
import { array, nativeNames } from "./natives.ts";
import { declarePattern, propertyNames } from "./patterns.ts";
import type { Primitive } from "./primitive.ts";
import { applyDefault, asNumber, markRequired, readsIn } from "./read-uses.ts";
import type { Origin } from "./reads.ts";
import { answerOpen } from "./request-parts.ts";
import type { Env } from "./value.ts";
import {
  type Declared,
  type FunctionValue,
  literal,
  literalsOf,
  truthOf,
  undefinedValue,
  union,
  unknown,
  type Value,
} from "./value.ts";

/** What an expression comes to; on the way its effects are noted in the frame. */
export function evaluateExpression(machine: Machine, node: Expression, env: Env, frame: Frame): Value {
  const evaluate = (inner: Expression) => machine.evaluate(inner, env, frame);
  switch (node.type) {
    case "Literal":
      return isPrimitive(node.value) ? literal(node.value) : unknown;
    case "TemplateLiteral":
      return joinTemplate(
        node.quasis.map(({ value }) => value.cooked ?? value.raw),
        node.expressions.map(evaluate),
      );
    case "Identifier":
      if (node.name === "undefined") return undefinedValue;
      return (
        env.lookup(node.name) ?? (nativeNames.has(node.name) ? { kind: "native", name: node.name } : unknown)
      );
    case "ThisExpression":
      return frame.self ?? unknown;
    case "ChainExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "TSInstantiationExpression":
    case "ParenthesizedExpression":
      return evaluate(node.expression);
    case "TSAsExpression":
    case "TSTypeAssertion":
      return assertType(machine, evaluate(node.expression), node.typeAnnotation, env);
    case "AwaitExpression":
      return evaluate(node.argument);
    case "YieldExpression":
      return node.argument ? evaluate(node.argument) : unknown;
    case "MemberExpression":
      return evaluateMember(machine, node, env, frame);
    case "CallExpression":
      return evaluateCall(machine, node, env, frame);
    case "NewExpression":
      return machine.construct(
        evaluate(node.callee),
        evaluateArguments(machine, node.arguments, env, frame),
        { node, env, frame },
      );
    case "ImportExpression":
      return importModule(machine, evaluate(node.source), env);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return {
        kind: "function",
        node,
        file: env.file,
        env,
        self: node.type === "ArrowFunctionExpression" ? frame.self : undefined,
        declared: [{ file: env.file, start: node.start, name: node.id?.name }],
      };
    case "ClassExpression":
      return { kind: "class", node, file: env.file, env };
    case "ObjectExpression":
      return evaluateObject(machine, node, env, frame);
    case "ArrayExpression":
      return evaluateArray(machine, node, env, frame);
    case "ConditionalExpression":
      return evaluateChoice(machine, node, env, frame);
    case "LogicalExpression":
      return evaluateFallback(machine, node, env, frame);
    case "UnaryExpression":
      if (node.operator === "+") return asNumber(evaluate(node.argument), "number");
      if (node.operator === "!") return evaluateCondition(machine, node, env, frame).value;
      return negate(node.operator, evaluate(node.argument));
    case "BinaryExpression":
      return evaluateBinary(machine, node, env, frame);
    case "AssignmentExpression":
      return evaluateAssignment(machine, node, env, frame);
    case "SequenceExpression":
      return node.expressions.map(evaluate).at(-1) ?? unknown;
    case "TaggedTemplateExpression":
      for (const inner of node.quasi.expressions) evaluate(inner);
      return unknown;
    default:
      return unknown;
  }
}

const isPrimitive = (value: unknown): value is Primitive =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function negate(operator: string, value: Value): Value {
  const values = literalsOf(value);
  return operator === "-" && values?.length === 1 && typeof values[0] === "number"
    ? literal(-values[0])
    : unknown;
}

function joinTemplate(texts: readonly string[], values: readonly Value[]): Value {
  if (values.some(({ kind }) => kind === "text")) return { kind: "text" };
  if (values.some(({ kind }) => kind === "raw")) return { kind: "raw" };
  let joined = [texts[0] ?? ""];
  for (const [index, value] of values.entries()) {
    const parts = literalsOf(value);
    if (!parts) return unknown;
    joined = joined.flatMap((start) => parts.map((part) => `${start}${String(part)}${texts[index + 1]}`));
  }
  return union(joined.map(literal));
}

/** What is claimed to be of a type. The claim is what is known of a body; of an empty value it says more than the value. */
function assertType(machine: Machine, value: Value, type: Node, env: Env): Value {
  if (value.kind === "body") value.body.types.unshift({ kind: "type", place: machine.placeOf(type, env) });
  if (value.kind === "literal" && (value.value === null || value.value === undefined)) return unknown;
  return value.kind === "opaque" ? machine.instanceOf(type, env) : value;
}

function evaluateMember(
  machine: Machine,
  node: Extract<Expression, { type: "MemberExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const object = node.object.type === "Super" ? unknown : machine.evaluate(node.object, env, frame);
  const site: Site = { node, env, frame };
  const names = propertyNames(machine, node.property, node.computed, env, frame);
  if (names.length === 0 && object.kind === "array") return union(object.items);
  if (names.length === 0 && object.kind === "object")
    return union([...object.properties.values(), ...(object.rest ? [unknown] : [])]);
  if (names.length === 0 && (object.kind === "record" || object.kind === "headers")) {
    const message =
      "The name of this parameter is made at run time, so it is not in the document; write the name itself, a constant, or a list of constants.";
    machine.report({ code: "PARAMETER_NAME_UNKNOWN", message }, site);
  }
  return names.length === 0 ? unknown : union(names.map((name) => machine.property(object, name, site)));
}

function evaluateCall(
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

function importModule(machine: Machine, source: Value, env: Env): Value {
  const [specifier] = literalsOf(source) ?? [];
  const path = typeof specifier === "string" ? machine.files.resolve(env.file.path, specifier) : undefined;
  return path === undefined ? unknown : { kind: "module", path };
}

function evaluateObject(
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

function evaluateArray(
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

/** `a ? b : c`. */
function evaluateChoice(
  machine: Machine,
  node: Extract<Expression, { type: "ConditionalExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { value, trueWithout, falseWithout } = evaluateCondition(machine, node.test, env, frame);
  const truth = truthOf(value);
  if (truth !== undefined) return machine.evaluate(truth ? node.consequent : node.alternate, env, frame);
  const branch = (inner: Expression) => {
    frame.conditions++;
    const result = machine.evaluate(inner, env, frame);
    frame.conditions--;
    const isCutOff = frame.isCutOff;
    frame.isCutOff = false;
    return { result, isCutOff };
  };
  const yes = branch(node.consequent);
  const no = branch(node.alternate);
  if (yes.isCutOff) requireReads(trueWithout, frame);
  if (no.isCutOff) requireReads(falseWithout, frame);
  frame.isCutOff = yes.isCutOff && no.isCutOff;
  // `q ? Number(q) : 10` and `q === undefined ? 10 : Number(q)`: what is taken when the client sends nothing.
  const [kept, fallback, missing] =
    falseWithout.length > 0 ? [yes.result, no.result, falseWithout] : [no.result, yes.result, trueWithout];
  if (
    kept.kind === "read" &&
    missing.some(({ read }) => read.in === kept.read.in && read.name === kept.read.name)
  )
    return applyDefault(kept, fallback);
  return union([...(yes.isCutOff ? [] : [yes.result]), ...(no.isCutOff ? [] : [no.result])]);
}

/** `a ?? b`, `a || b`, `a && b`. */
function evaluateFallback(
  machine: Machine,
  node: Extract<Expression, { type: "LogicalExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { value: left, falseWithout } = evaluateCondition(machine, node.left, env, frame);
  const truth = truthOf(left);
  const isDecided = node.operator === "??" ? left.kind === "literal" : truth !== undefined;
  if (isDecided) {
    const takesRight =
      node.operator === "??"
        ? left.kind === "literal" && (left.value ?? undefined) === undefined
        : truth === (node.operator === "&&");
    return takesRight ? machine.evaluate(node.right, env, frame) : left;
  }
  frame.conditions++;
  const right = machine.evaluate(node.right, env, frame);
  frame.conditions--;
  const isCutOff = frame.isCutOff;
  frame.isCutOff = false;
  if (node.operator === "&&") return union([left, right]);
  if (isCutOff) {
    requireReads(falseWithout, frame);
    return left;
  }
  return left.kind === "read"
    ? readsIn(right).length > 0
      ? union([left, right])
      : applyDefault(left, right)
    : union([left, right]);
}

/** A request without these is refused, if the present place is always reached. */
export function requireReads(reads: readonly Parameters<typeof markRequired>[0][], frame: Frame): void {
  for (const each of reads) if (isCertain(frame, each.read)) markRequired(each);
}

function evaluateBinary(
  machine: Machine,
  node: Extract<Expression, { type: "BinaryExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  if (node.operator !== "+") return evaluateCondition(machine, node, env, frame).value;
  const left = machine.evaluate(node.left, env, frame);
  const right = machine.evaluate(node.right, env, frame);
  if ([left, right].some(({ kind }) => kind === "raw")) return { kind: "raw" };
  if ([left, right].some(({ kind }) => kind === "text")) return { kind: "text" };
  const [one, other] = [literalsOf(left), literalsOf(right)];
  if (!one || !other) return unknown;
  return union(one.flatMap((a) => other.map((b) => literal((a as string) + (b as string)))));
}

function evaluateAssignment(
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

/** The functions among values, for a function that was made of them. */
export const functionsIn = (args: readonly Argument[]): FunctionValue[] =>
  args.flatMap(({ value }) => (value.kind === "function" ? [value] : []));
