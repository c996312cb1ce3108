import type { Expression } from "oxc-parser";
import type { Frame, InterpreterContext } from "../interpreter-context.ts";
import { bodiesSince, deniedSince, guardBodies } from "../request/body-uses.ts";
import { hasSecret, isOfRoute, literalsOf, truthOf } from "../values/alternatives.ts";
import { type Bound, boundsOfComparison } from "../values/bounds.ts";
import type { Allowed, Condition } from "../values/condition.ts";
import { markEffects } from "../values/effects.ts";
import type { Primitive } from "../values/primitive.ts";
import { readsIn } from "../values/read-uses.ts";
import { type CheckValue, type Env, literal, type ReadValue, unknown, type Value } from "../values/value.ts";

const undecided: Condition = { value: unknown, trueWithout: [], falseWithout: [] };

export function evaluateCondition(
  machine: InterpreterContext,
  node: Expression,
  env: Env,
  frame: Frame,
): Condition {
  if (node.type === "UnaryExpression" && node.operator === "!")
    return negate(evaluateCondition(machine, node.argument, env, frame));
  if (node.type === "LogicalExpression" && node.operator !== "??")
    return evaluateLogical(machine, node, env, frame);
  if (node.type === "BinaryExpression") return evaluateComparison(machine, node, env, frame);
  const value = machine.evaluate(node, env, frame);
  if (value.kind === "check") return fromCheck(value);
  if (value.kind === "body" && value.isText) return { ...undecided, value, falseIfEmpty: [value.body] };
  // If the value may come from several reads, one of them may be missing.
  if (value.kind !== "read") return { ...undecided, value };
  const isNaNTest = node.type === "CallExpression" && /(^|\.)isNaN$/.test(calleeName(node.callee));
  if (isNaNTest) return { ...undecided, trueWithout: value.whenMissing === "NaN" ? [value] : [] };
  const isText = value.form === "text" || value.form === "length";
  const isSent = isText && ["undefined", "null", "empty"].includes(value.whenMissing);
  return {
    ...undecided,
    value,
    falseWithout: value.whenMissing === "other" ? [] : [value],
    // An empty string is also false.
    falseOutside: isText ? [{ read: value, bounds: { minLength: 1 } }] : [],
    trueIfSent: isSent && value.form === "text" ? value : undefined,
  };
}

function negate({
  value,
  trueWithout,
  falseWithout,
  trueUnless,
  falseUnless,
  trueOutside,
  falseOutside,
  trueIfSent,
  falseIfSent,
  trueIfFilled,
  falseIfFilled,
  trueIfEmpty,
  falseIfEmpty,
  isByComparison,
}: Condition): Condition {
  const truth = truthOf(value);
  return {
    value: truth === undefined ? unknown : literal(!truth),
    trueWithout: falseWithout,
    falseWithout: trueWithout,
    trueUnless: falseUnless,
    falseUnless: trueUnless,
    trueOutside: falseOutside,
    falseOutside: trueOutside,
    trueIfSent: falseIfSent,
    falseIfSent: trueIfSent,
    trueIfFilled: falseIfFilled,
    falseIfFilled: trueIfFilled,
    trueIfEmpty: falseIfEmpty,
    falseIfEmpty: trueIfEmpty,
    isByComparison,
  };
}

function fromCheck(value: CheckValue): Condition {
  const { read, values } = value;
  const acceptsMissing =
    read.whenMissing === "other" || (read.whenMissing === "empty" && (value.acceptsEmpty ?? false));
  return {
    value,
    trueWithout: [],
    falseWithout: acceptsMissing ? [] : [read],
    falseUnless: values && { read, values },
    falseOutside: value.bounds ? [{ read, bounds: value.bounds }] : [],
  };
}

function calleeName(callee: Expression | { type: "Super" }): string {
  if (callee.type === "Identifier") return callee.name;
  return callee.type === "MemberExpression" && callee.property.type === "Identifier"
    ? `.${callee.property.name}`
    : "";
}

function evaluateLogical(
  machine: InterpreterContext,
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
  return isOr ? either(left, right) : both(left, right);
}

/** `left && right`. `either` is derived from it by negation. */
function both(left: Condition, right: Condition): Condition {
  return {
    value: unknown,
    trueWithout: left.trueWithout.filter((one) => right.trueWithout.some((other) => isSame(one, other))),
    falseWithout: [...left.falseWithout, ...right.falseWithout],
    trueUnless: joinAllowed(left, right),
    falseUnless: left.falseUnless ?? right.falseUnless,
    trueIfSent: left.trueIfSent && isFilledTest(right, left.trueIfSent) ? left.trueIfSent : undefined,
    trueOutside: left.trueIfSent && boundsOf(right.trueOutside, left.trueIfSent),
    falseOutside: [...(left.falseOutside ?? []), ...(right.falseOutside ?? [])],
    falseIfEmpty: [...(left.falseIfEmpty ?? []), ...(right.falseIfEmpty ?? [])],
  };
}

/** `q !== undefined && q !== ""`. */
const isFilledTest = ({ trueIfFilled, trueIfSent }: Condition, sent: ReadValue) =>
  [trueIfFilled, trueIfSent].some((read) => read !== undefined && isSame(read, sent));

/** `q !== undefined && q.length > 9`: only the bounds of the checked parameter. */
const boundsOf = (bounds: readonly Bound[] | undefined, sent: ReadValue) =>
  bounds?.filter(({ read }) => isSame(read, sent));

/** `left || right`. */
export const either = (left: Condition, right: Condition): Condition =>
  negate(both(negate(left), negate(right)));

const isSame = (one: ReadValue, other: ReadValue) =>
  one.read.in === other.read.in && one.read.name === other.read.name;

/**
 * The combined condition is true only if both are, so values allowed by either are allowed. A presence check, as in
 * `q !== undefined && !ROLES.includes(q)`, only excludes missing values.
 */
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
  machine: InterpreterContext,
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
    const [one, another] = values.map((each) => (each?.length === 1 && !isTypeof ? each : undefined));
    const isSameOrNot = one && another && (isEqual || isUnequal);
    const order = one && another && compareNumbers(operator, one[0], another[0]);
    const truth = isSameOrNot ? (one[0] === another[0]) === isEqual : order;
    return {
      ...undecided,
      value: truth === undefined ? unknown : literal(truth),
      isByComparison: truth !== undefined && ![left, right].some(isOfRoute),
      ...emptyBody(left, right, isEqual, isUnequal),
      falseWithout: read && isOrdering(operator, read) ? [read] : [],
    };
  }
  const [value] = other;
  const bounds =
    isTypeof || hasSecret(compared) ? {} : boundsOfComparison(read, operator, value!, read === left);
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
    ...bounds,
    ...(isDecided && isMissing && { [isEqual ? "falseIfSent" : "trueIfSent"]: read }),
    // `q === ""`
    ...(value === "" && read.form === "text" && emptyText(read, isEqual, isUnequal)),
  };
}

function emptyText(read: ReadValue, isEqual: boolean, isUnequal: boolean): Partial<Condition> {
  const bound = [{ read, bounds: { minLength: 1 } }];
  if (isEqual) return { trueOutside: bound, falseIfFilled: read };
  return isUnequal ? { falseOutside: bound, trueIfFilled: read } : {};
}

/** `text === ""`. */
function emptyBody(left: Value, right: Value, isEqual: boolean, isUnequal: boolean): Partial<Condition> {
  const isEmpty = [left, right].some((value) => value.kind === "literal" && value.value === "");
  const text = [left, right].find((value) => value.kind === "body" && value.isText);
  if (!isEmpty || text?.kind !== "body") return {};
  return isEqual ? { trueIfEmpty: [text.body] } : isUnequal ? { falseIfEmpty: [text.body] } : {};
}

/** `depth < 3`, with constants. */
function compareNumbers(operator: string, one: Primitive, other: Primitive): boolean | undefined {
  if (typeof one !== "number" || typeof other !== "number") return undefined;
  if (operator === "<") return one < other;
  if (operator === "<=") return one <= other;
  if (operator === ">") return one > other;
  return operator === ">=" ? one >= other : undefined;
}

/** The values that a string is compared with indicate its type: a flag, a word or a number. */
function noteCompared(left: Value, right: Value): void {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const texts = (literalsOf(other) ?? []).filter((value) => typeof value === "string");
    for (const { read, form } of readsIn(one)) if (form === "text") read.compared.push(...texts);
  }
}

/** NaN is neither less nor greater than anything. */
const isOrdering = (operator: string, { whenMissing }: ReadValue) =>
  /^[<>]/.test(operator) && (whenMissing === "NaN" || whenMissing === "undefined");

function equalsMissing({ whenMissing }: ReadValue, value: Primitive, isLoose: boolean): boolean {
  if (isLoose && (value === null || value === undefined))
    return whenMissing === "undefined" || whenMissing === "null";
  if (value === "") return whenMissing === "empty";
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
