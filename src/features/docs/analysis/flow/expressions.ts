import type { Expression, Node } from "oxc-parser";
import { evaluateArguments, evaluateCall, importModule } from "./calls.ts";
import { evaluateAssignment, evaluateUpdate } from "./expressions/assignments.ts";
import { evaluateChoice, evaluateFallback } from "./expressions/choices.ts";
import { evaluateCondition } from "./expressions/conditions.ts";
import { evaluateArray, evaluateObject } from "./expressions/literals.ts";
import { evaluateMember } from "./expressions/members.ts";
import { nativeNames } from "./expressions/natives.ts";
import { computedFrom } from "./expressions/unresolved-calls.ts";
import type { Frame, InterpreterContext } from "./interpreter-context.ts";
import { noteName } from "./request/body-uses.ts";
import { derived, literalsOf, union } from "./values/alternatives.ts";
import type { Condition } from "./values/condition.ts";
import type { Primitive } from "./values/primitive.ts";
import { asNumber } from "./values/read-uses.ts";
import { type Env, instanceOr, literal, undefinedValue, unknown, type Value } from "./values/value.ts";

/** Returns the value of an expression and records its effects in the frame. */
export function evaluateExpression(
  machine: InterpreterContext,
  node: Expression,
  env: Env,
  frame: Frame,
): Value {
  const evaluate = (inner: Expression) => machine.evaluate(inner, env, frame);
  switch (node.type) {
    case "Literal":
      if ("regex" in node) return { kind: "regex", ...node.regex };
      return isPrimitive(node.value) ? literal(node.value) : unknown;
    case "TemplateLiteral":
      return joinTemplate(
        node.quasis.map(({ value }) => value.cooked ?? value.raw),
        node.expressions.map(evaluate),
      );
    case "Identifier":
      if (node.name === "undefined") return undefinedValue;
      return evaluateName(node.name, env, frame);
    case "ThisExpression":
      return frame.self ?? unknown;
    case "ChainExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "TSInstantiationExpression":
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
      if (isCondition(node)) return toValue(evaluateCondition(machine, node, env, frame));
      return evaluateFallback(machine, node, env, frame);
    case "UnaryExpression":
      if (node.operator === "+") return asNumber(evaluate(node.argument), "number");
      if (node.operator === "!") return evaluateCondition(machine, node, env, frame).value;
      return negate(node.operator, evaluate(node.argument));
    case "BinaryExpression":
      return evaluateBinary(machine, node, env, frame);
    case "AssignmentExpression":
      return evaluateAssignment(machine, node, env, frame);
    case "UpdateExpression":
      return evaluateUpdate(machine, node, env, frame);
    case "SequenceExpression":
      return node.expressions.map(evaluate).at(-1) ?? unknown;
    case "TaggedTemplateExpression":
      for (const inner of node.quasi.expressions) evaluate(inner);
      return unknown;
    default:
      return unknown;
  }
}

/** Whether the expression consists only of comparisons, so that it is a boolean: `text === "a" || text === "b"`. */
function isCondition(node: Expression): boolean {
  if (node.type === "LogicalExpression")
    return node.operator !== "??" && isCondition(node.left) && isCondition(node.right);
  if (node.type === "UnaryExpression") return node.operator === "!" && isCondition(node.argument);
  return node.type === "BinaryExpression" && /^([!=]==?|in|[<>]=?)$/.test(node.operator);
}

/** The value of a condition: whether the parameter is one of certain values, if that is known. */
function toValue({ value, falseUnless }: Condition): Value {
  return value.kind === "opaque" && falseUnless ? { kind: "check", ...falseUnless } : value;
}

function evaluateName(name: string, env: Env, frame: Frame): Value {
  const value = env.lookup(name);
  if (value === undefined) return nativeNames.has(name) ? { kind: "native", name } : unknown;
  noteName(name, value, env, frame.effects);
  return value;
}

const isPrimitive = (value: unknown): value is Primitive =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function negate(operator: string, value: Value): Value {
  const values = literalsOf(value);
  return operator === "-" && values?.length === 1 && typeof values[0] === "number"
    ? derived(-values[0], [value])
    : unknown;
}

function joinTemplate(texts: readonly string[], values: readonly Value[]): Value {
  const address = values.findIndex(({ kind }) => kind === "text");
  // After a question mark, the URL is only part of another one.
  if (address !== -1)
    return texts.slice(0, address + 1).some((text) => text.includes("?")) ? unknown : { kind: "text" };
  if (values.some(({ kind }) => kind === "raw")) return { kind: "raw" };
  let joined = [texts[0] ?? ""];
  for (const [index, value] of values.entries()) {
    const parts = literalsOf(value);
    if (!parts) return joinedFrom(values);
    joined = joined.flatMap((start) => parts.map((part) => `${start}${String(part)}${texts[index + 1]}`));
  }
  return union(joined.map((text) => derived(text, values)));
}

const joinedFrom = (values: readonly Value[]) =>
  computedFrom(
    values.map((value) => ({ value })),
    unknown,
  );

/** A type assertion. For a body, it provides the type; for an empty value, it is more precise than the value. */
function assertType(machine: InterpreterContext, value: Value, type: Node, env: Env): Value {
  if (value.kind === "body") value.body.types.unshift({ kind: "type", place: machine.placeOf(type, env) });
  if (value.kind === "literal" && (value.value === null || value.value === undefined)) return unknown;
  const isConst =
    type.type === "TSTypeReference" && type.typeName.type === "Identifier" && type.typeName.name === "const";
  if (isConst && (value.kind === "object" || value.kind === "array")) value.isShared = false;
  return value.kind === "opaque" ? instanceOr(machine.instanceOf(type, env), value) : value;
}

function evaluateBinary(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "BinaryExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  if (node.operator !== "+") return toValue(evaluateCondition(machine, node, env, frame));
  const left = machine.evaluate(node.left, env, frame);
  const right = machine.evaluate(node.right, env, frame);
  if ([left, right].some(({ kind }) => kind === "raw")) return { kind: "raw" };
  const isOther = (literalsOf(left) ?? []).some((text) => String(text).includes("?"));
  if ([left, right].some(({ kind }) => kind === "text")) return isOther ? unknown : { kind: "text" };
  const [one, other] = [literalsOf(left), literalsOf(right)];
  if (!one || !other) return joinedFrom([left, right]);
  return union(one.flatMap((a) => other.map((b) => derived((a as string) + (b as string), [left, right]))));
}
