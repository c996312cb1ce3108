import type { Expression } from "oxc-parser";
import type { Frame, Machine } from "./machine.ts";
import type { Primitive } from "./primitive.ts";
import { markValues, readsIn } from "./read-uses.ts";
import type { Env } from "./value.ts";
import { literal, literalsOf, type ReadValue, truthOf, unknown, type Value } from "./value.ts";

/** A condition: what it comes to, and for which parameters it is decided when the client leaves them out. */
export interface Condition {
  readonly value: Value;
  /** True when one of these is missing. */
  readonly trueWithout: readonly ReadValue[];
  /** False when one of these is missing. */
  readonly falseWithout: readonly ReadValue[];
  /** Decided only because somebody compares with what this call was given. */
  readonly isByComparison?: boolean | undefined;
  /** True for every value of a parameter but these: `q !== "a" && q !== "b"`. */
  readonly trueUnless?: { readonly read: ReadValue; readonly values: readonly Primitive[] } | undefined;
}

export function evaluateCondition(machine: Machine, node: Expression, env: Env, frame: Frame): Condition {
  const inner = (part: Expression) => evaluateCondition(machine, part, env, frame);
  if (node.type === "UnaryExpression" && node.operator === "!") {
    const { value, trueWithout, falseWithout } = inner(node.argument);
    const truth = truthOf(value);
    return {
      value: truth === undefined ? unknown : literal(!truth),
      trueWithout: falseWithout,
      falseWithout: trueWithout,
    };
  }
  if (node.type === "LogicalExpression" && node.operator !== "??")
    return evaluateLogical(machine, node, env, frame);
  if (node.type === "BinaryExpression") return evaluateComparison(machine, node, env, frame);
  const value = machine.evaluate(node, env, frame);
  const reads = readsIn(value);
  const isNaNTest = node.type === "CallExpression" && /(^|\.)isNaN$/.test(calleeName(node.callee));
  return isNaNTest
    ? {
        value: unknown,
        trueWithout: reads.filter(({ whenMissing }) => whenMissing === "NaN"),
        falseWithout: [],
      }
    : { value, trueWithout: [], falseWithout: reads.filter(({ whenMissing }) => whenMissing !== "other") };
}

function calleeName(callee: Expression | { type: "Super" }): string {
  if (callee.type === "Identifier") return callee.name;
  return callee.type === "MemberExpression" && callee.property.type === "Identifier"
    ? `.${callee.property.name}`
    : "";
}

function evaluateLogical(
  machine: Machine,
  node: Extract<Expression, { type: "LogicalExpression" }>,
  env: Env,
  frame: Frame,
): Condition {
  const left = evaluateCondition(machine, node.left, env, frame);
  const isOr = node.operator === "||";
  const truth = truthOf(left.value);
  if (truth !== undefined) return truth === isOr ? left : evaluateCondition(machine, node.right, env, frame);
  frame.conditions++;
  const right = evaluateCondition(machine, node.right, env, frame);
  frame.conditions--;
  frame.isCutOff = false;
  const trueUnless =
    !isOr && left.trueUnless && right.trueUnless && left.trueUnless.read.read === right.trueUnless.read.read
      ? { read: left.trueUnless.read, values: [...left.trueUnless.values, ...right.trueUnless.values] }
      : undefined;
  return {
    value: unknown,
    trueWithout: isOr ? [...left.trueWithout, ...right.trueWithout] : [],
    falseWithout: isOr ? [] : [...left.falseWithout, ...right.falseWithout],
    trueUnless,
  };
}

function evaluateComparison(
  machine: Machine,
  node: Extract<Expression, { type: "BinaryExpression" }>,
  env: Env,
  frame: Frame,
): Condition {
  if (node.left.type === "PrivateIdentifier") return { value: unknown, trueWithout: [], falseWithout: [] };
  const isTypeof = node.left.type === "UnaryExpression" && node.left.operator === "typeof";
  const left = machine.evaluate(
    isTypeof ? (node.left as { argument: Expression }).argument : node.left,
    env,
    frame,
  );
  const right = machine.evaluate(node.right, env, frame);
  const { operator } = node;
  if (operator === "in") return lookInside(left, right);
  const [read] = readsIn(left).length > 0 ? readsIn(left) : readsIn(right);
  const other = literalsOf(readsIn(left).length > 0 ? right : left);
  const [isEqual, isUnequal] = [
    operator === "===" || operator === "==",
    operator === "!==" || operator === "!=",
  ];
  if (read === undefined || other?.length !== 1) {
    const both = [literalsOf(left), literalsOf(right)];
    const isKnown = both.every((values) => values?.length === 1) && (isEqual || isUnequal) && !isTypeof;
    return {
      value: isKnown ? literal((both[0]![0] === both[1]![0]) === isEqual) : unknown,
      isByComparison: isKnown,
      trueWithout: [],
      falseWithout: /^[<>]/.test(operator)
        ? readsIn(left).filter(({ whenMissing }) => whenMissing === "NaN")
        : [],
    };
  }
  const [value] = other;
  if (!isTypeof && (value === "true" || value === "false") && read.read.type === "string")
    read.read.type = "boolean";
  const isMissing = isTypeof ? value === "undefined" : equalsMissing(read, value, operator.length === 2);
  const isDecided = isEqual || isUnequal;
  return {
    value: unknown,
    trueWithout: isDecided && isMissing === isEqual && read.whenMissing !== "other" ? [read] : [],
    falseWithout:
      isComparison(operator, read) || (isDecided && isMissing !== isEqual && read.whenMissing !== "other")
        ? [read]
        : [],
    trueUnless: isUnequal && typeof value === "string" && !isTypeof ? { read, values: [value] } : undefined,
  };
}

/** Nothing is less or more than what is not a number. */
const isComparison = (operator: string, { whenMissing }: ReadValue) =>
  /^[<>]/.test(operator) && (whenMissing === "NaN" || whenMissing === "undefined");

function equalsMissing({ whenMissing }: ReadValue, value: Primitive, isLoose: boolean): boolean {
  if (isLoose && (value === null || value === undefined))
    return whenMissing === "undefined" || whenMissing === "null";
  if (value === undefined) return whenMissing === "undefined";
  return value === null && whenMissing === "null";
}

function lookInside(left: Value, right: Value): Condition {
  const [read] = readsIn(left);
  if (read && right.kind === "object" && !right.rest) markValues(read, [...right.properties.keys()]);
  return {
    value: unknown,
    trueWithout: [],
    falseWithout: read && read.whenMissing !== "other" ? [read] : [],
  };
}
