import type { Expression } from "oxc-parser";
import { bodiesSince, deniedSince, guardBodies } from "./body-uses.ts";
import { markEffects } from "./effects.ts";
import type { Frame, Machine } from "./machine.ts";
import type { Primitive } from "./primitive.ts";
import { readsIn } from "./read-uses.ts";
import {
  type CheckValue,
  type Env,
  hasSecret,
  literal,
  literalsOf,
  type ReadValue,
  truthOf,
  unknown,
  type Value,
} from "./value.ts";

/** A condition: what it comes to, and what a request must be like for it to be true or false. */
export interface Condition {
  readonly value: Value;
  /** True when one of these is missing. */
  readonly trueWithout: readonly ReadValue[];
  /** False when one of these is missing. */
  readonly falseWithout: readonly ReadValue[];
  /** Decided only because somebody compares with what this call was given. */
  readonly isByComparison?: boolean | undefined;
  /** True for every value of a parameter but these: `q !== "a" && q !== "b"`. */
  readonly trueUnless?: Allowed | undefined;
  /** False for every value of a parameter but these: `ROLES.includes(q)`. */
  readonly falseUnless?: Allowed | undefined;
}

export interface Allowed {
  readonly read: ReadValue;
  readonly values: readonly Primitive[];
}

const undecided: Condition = { value: unknown, trueWithout: [], falseWithout: [] };

export function evaluateCondition(machine: Machine, node: Expression, env: Env, frame: Frame): Condition {
  if (node.type === "UnaryExpression" && node.operator === "!")
    return negate(evaluateCondition(machine, node.argument, env, frame));
  if (node.type === "LogicalExpression" && node.operator !== "??")
    return evaluateLogical(machine, node, env, frame);
  if (node.type === "BinaryExpression") return evaluateComparison(machine, node, env, frame);
  const value = machine.evaluate(node, env, frame);
  if (value.kind === "check") return fromCheck(value);
  // One of several reads may be missing without harm.
  if (value.kind !== "read") return { ...undecided, value };
  const isNaNTest = node.type === "CallExpression" && /(^|\.)isNaN$/.test(calleeName(node.callee));
  if (isNaNTest) return { ...undecided, trueWithout: value.whenMissing === "NaN" ? [value] : [] };
  return { ...undecided, value, falseWithout: value.whenMissing === "other" ? [] : [value] };
}

function negate({
  value,
  trueWithout,
  falseWithout,
  trueUnless,
  falseUnless,
  isByComparison,
}: Condition): Condition {
  const truth = truthOf(value);
  return {
    value: truth === undefined ? unknown : literal(!truth),
    trueWithout: falseWithout,
    falseWithout: trueWithout,
    trueUnless: falseUnless,
    falseUnless: trueUnless,
    isByComparison,
  };
}

function fromCheck(value: CheckValue): Condition {
  const { read, values } = value;
  return {
    value,
    trueWithout: [],
    falseWithout: read.whenMissing === "other" ? [] : [read],
    falseUnless: values && { read, values },
  };
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
  const usesBefore = frame.effects.uses.length;
  const left = evaluateCondition(machine, node.left, env, frame);
  const tested = bodiesSince(frame.effects, usesBefore);
  const before = markEffects(frame.effects);
  const isOr = node.operator === "||";
  const truth = truthOf(left.value);
  if (truth !== undefined) return truth === isOr ? left : evaluateCondition(machine, node.right, env, frame);
  frame.conditions++;
  const right = evaluateCondition(machine, node.right, env, frame);
  frame.conditions--;
  frame.isCutOff = false;
  if (deniedSince(frame.effects, before)) guardBodies(tested, frame);
  return isOr ? negate(both(negate(left), negate(right))) : both(left, right);
}

/** `left && right`; the rest follows by turning it around. */
function both(left: Condition, right: Condition): Condition {
  return {
    value: unknown,
    trueWithout: left.trueWithout.filter((one) => right.trueWithout.some((other) => isSame(one, other))),
    falseWithout: [...left.falseWithout, ...right.falseWithout],
    trueUnless: joinAllowed(left, right),
    falseUnless: left.falseUnless ?? right.falseUnless,
  };
}

const isSame = (one: ReadValue, other: ReadValue) =>
  one.read.in === other.read.in && one.read.name === other.read.name;

/** Refused by both: allowed is what either allows. `q !== undefined && !ROLES.includes(q)` only leaves missing ones alone. */
function joinAllowed(left: Condition, right: Condition): Allowed | undefined {
  const [one, other] = [left.trueUnless, right.trueUnless];
  if (one && other && isSame(one.read, other.read))
    return { read: one.read, values: [...one.values, ...other.values] };
  if (one || !other) return undefined;
  const asksIfThere =
    left.falseWithout.length === 1 && isSame(left.falseWithout[0]!, other.read) && !left.falseUnless;
  return asksIfThere ? other : undefined;
}

function evaluateComparison(
  machine: Machine,
  node: Extract<Expression, { type: "BinaryExpression" }>,
  env: Env,
  frame: Frame,
): Condition {
  if (node.left.type === "PrivateIdentifier") return undecided;
  const isTypeof = node.left.type === "UnaryExpression" && node.left.operator === "typeof";
  const left = machine.evaluate(
    isTypeof ? (node.left as { argument: Expression }).argument : node.left,
    env,
    frame,
  );
  const right = machine.evaluate(node.right, env, frame);
  const { operator } = node;
  if (operator === "in") return lookInside(left, right);
  const read = left.kind === "read" ? left : right.kind === "read" ? right : undefined;
  const compared = read === left ? right : left;
  const other = literalsOf(compared);
  noteCompared(left, right);
  const isEqual = operator === "===" || operator === "==";
  const isUnequal = operator === "!==" || operator === "!=";
  if (read === undefined || other?.length !== 1) {
    const values = [literalsOf(left), literalsOf(right)];
    const isKnown = values.every((each) => each?.length === 1) && (isEqual || isUnequal) && !isTypeof;
    return {
      ...undecided,
      value: isKnown ? literal((values[0]![0] === values[1]![0]) === isEqual) : unknown,
      isByComparison: isKnown,
      falseWithout: read && isOrdering(operator, read) ? [read] : [],
    };
  }
  const [value] = other;
  const isMissing = isTypeof ? value === "undefined" : equalsMissing(read, value, operator.length === 2);
  const isDecided = (isEqual || isUnequal) && read.whenMissing !== "other";
  const isShown = typeof value === "string" && !hasSecret(compared);
  const allowed = isShown && !isTypeof && read.form === "text" ? { read, values: [value] } : undefined;
  return {
    value: unknown,
    trueWithout: isDecided && isMissing === isEqual ? [read] : [],
    falseWithout: isOrdering(operator, read) || (isDecided && isMissing !== isEqual) ? [read] : [],
    trueUnless: isUnequal ? allowed : undefined,
    falseUnless: isEqual ? allowed : undefined,
  };
}

/** What a text is compared with tells what it is: a flag, a word, a number. */
function noteCompared(left: Value, right: Value): void {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const texts = (literalsOf(other) ?? []).filter((value) => typeof value === "string");
    for (const { read, form } of readsIn(one)) if (form === "text") read.compared.push(...texts);
  }
}

/** Nothing is less or more than what is not a number. */
const isOrdering = (operator: string, { whenMissing }: ReadValue) =>
  /^[<>]/.test(operator) && (whenMissing === "NaN" || whenMissing === "undefined");

function equalsMissing({ whenMissing }: ReadValue, value: Primitive, isLoose: boolean): boolean {
  if (isLoose && (value === null || value === undefined))
    return whenMissing === "undefined" || whenMissing === "null";
  if (value === undefined) return whenMissing === "undefined";
  return value === null && whenMissing === "null";
}

/** `q in MAP`. */
function lookInside(left: Value, right: Value): Condition {
  if (left.kind !== "read") return undecided;
  if (right.kind === "object" && !right.rest)
    return fromCheck({
      kind: "check",
      read: left,
      values: right.isSecret ? undefined : [...right.properties.keys()],
    });
  return { ...undecided, falseWithout: left.whenMissing === "other" ? [] : [left] };
}
