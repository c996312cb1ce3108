import type { Expression } from "oxc-parser";
import type { Frame, InterpreterContext, ServedChoice } from "../interpreter-context.ts";
import { guardAccess } from "../request/access.ts";
import { bodiesSince, deniedSince, guardBodies, makeOptional, runUnder } from "../request/body-uses.ts";
import { isCertain, isCertainIfSent } from "../request/certainty.ts";
import { truthOf, union } from "../values/alternatives.ts";
import { markBounds } from "../values/bounds.ts";
import type { Condition } from "../values/condition.ts";
import { deniesAccess, refuses } from "../values/denials.ts";
import { markEffects } from "../values/effects.ts";
import { applyDefault, markRequired, markValues, orNothing, readsIn } from "../values/read-uses.ts";
import type { Env, ReadValue, Value } from "../values/value.ts";
import { either, evaluateCondition } from "./conditions.ts";

/** `a ? b : c`. */
export function evaluateChoice(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "ConditionalExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { effects } = frame;
  const readsBefore = effects.reads.length;
  const usesBefore = effects.uses.length;
  const condition = evaluateCondition(machine, node.test, env, frame);
  const { value, trueWithout, falseWithout } = condition;
  const tested = effects.reads.slice(readsBefore);
  const testedBodies = bodiesSince(effects, usesBefore);
  const truth = truthOf(value);
  if (truth !== undefined) return machine.evaluate(truth ? node.consequent : node.alternate, env, frame);
  const branch = (inner: Expression, sent: ReadValue | undefined) => {
    const before = markEffects(effects);
    frame.conditions++;
    const result = runUnder(frame, testedBodies, () =>
      runIfSent(frame, sent, () => machine.evaluate(inner, env, frame)),
    );
    frame.conditions--;
    const isCutOff = frame.isCutOff;
    frame.isCutOff = false;
    const isRefused = (isCutOff || refuses(effects, before)) && deniesAccess(effects, before);
    if (isRefused) guardAccess(node.test, condition, tested, env);
    if (isRefused || deniedSince(effects, before)) guardBodies(testedBodies, frame);
    return { result, isCutOff };
  };
  const yes = branch(node.consequent, condition.trueIfSent);
  const no = branch(node.alternate, condition.falseIfSent);
  if (yes.isCutOff) refuseIfTrue(condition, frame);
  if (no.isCutOff) refuseIfFalse(condition, frame);
  if (!yes.isCutOff) makeOptional(condition.trueIfEmpty);
  if (!no.isCutOff) makeOptional(condition.falseIfEmpty);
  keepText(yes.result, no.result);
  frame.isCutOff = yes.isCutOff && no.isCutOff;
  // `q ? Number(q) : 10` and `q === undefined ? 10 : Number(q)`: the value for a missing parameter.
  const [kept, fallback, missing] =
    falseWithout.length > 0 ? [yes.result, no.result, falseWithout] : [no.result, yes.result, trueWithout];
  if (
    kept.kind === "read" &&
    missing.some(({ read }) => read.in === kept.read.in && read.name === kept.read.name)
  )
    return applyDefault(kept, fallback);
  const orMissing = orNothing(kept, fallback, missing);
  if (orMissing) return orMissing;
  return union([...(yes.isCutOff ? [] : [yes.result]), ...(no.isCutOff ? [] : [no.result])]);
}

/** `/^\\d+$/.test(v) ? Number(v) : v`: a string that is sometimes a number. */
function keepText(one: Value, other: Value): void {
  if (one.kind !== "read" || other.kind !== "read" || one.read !== other.read) return;
  if (one.form !== other.form) one.read.isText = true;
}

/** `a ?? b`, `a || b`, `a && b`. */
export function evaluateFallback(
  machine: InterpreterContext,
  node: Extract<Expression, { type: "LogicalExpression" }>,
  env: Env,
  frame: Frame,
): Value {
  const { effects } = frame;
  const readsBefore = effects.reads.length;
  const usesBefore = effects.uses.length;
  const condition = evaluateCondition(machine, node.left, env, frame);
  const testedBodies = bodiesSince(effects, usesBefore);
  const { value: left, falseWithout } = condition;
  const before = { ...markEffects(effects), reads: effects.reads.length };
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
  const sent = node.operator === "&&" ? condition.trueIfSent : undefined;
  const right = runUnder(frame, testedBodies, () =>
    runIfSent(frame, sent, () => machine.evaluate(node.right, env, frame)),
  );
  frame.conditions--;
  const isCutOff = frame.isCutOff;
  frame.isCutOff = false;
  const isRefused = isCutOff && deniesAccess(effects, before);
  if (isRefused || deniedSince(effects, before)) guardBodies(testedBodies, frame);
  if (isRefused) guardAccess(node.left, condition, effects.reads.slice(readsBefore, before.reads), env);
  if (node.operator === "&&") return union([left, right]);
  if (isCutOff) {
    requireReads(falseWithout, frame);
    return left;
  }
  if (node.operator === "||") makeOptional(condition.falseIfEmpty);
  if (left.kind !== "read" || readsIn(right).length > 0) return union([left, right]);
  return applyDefault(left, right);
}

/** Requests for which a condition is true are rejected. */
export function refuseIfTrue(
  { trueWithout, trueUnless, trueOutside }: Pick<Condition, "trueWithout" | "trueUnless" | "trueOutside">,
  frame: Frame,
): void {
  requireReads(trueWithout, frame);
  if (trueUnless && isCertainIfSent(frame, trueUnless.read.read))
    markValues(trueUnless.read, trueUnless.values);
  for (const bound of trueOutside ?? []) if (isCertainIfSent(frame, bound.read.read)) markBounds(bound);
}

export function refuseIfFalse({ falseWithout, falseUnless, falseOutside }: Condition, frame: Frame): void {
  refuseIfTrue({ trueWithout: falseWithout, trueUnless: falseUnless, trueOutside: falseOutside }, frame);
}

/**
 * Called at the end of a block: `if (n > 0) return n; throw …`. Requests that match none of the conditions are
 * rejected.
 */
export function settleServed(frame: Frame, first: number, isRefusal: boolean): void {
  const [one, ...others] = frame.served.splice(first);
  if (!one || !isRefusal || !areOnlyExits([one, ...others], frame)) return;
  const { conditions } = frame;
  frame.conditions = one.conditions;
  refuseIfFalse(
    others.reduce((all, { condition }) => either(all, condition), one.condition),
    frame,
  );
  frame.conditions = conditions;
}

/** Whether requests are accepted only by the conditions, and not by a loop or block between them. */
function areOnlyExits(served: readonly ServedChoice[], { exits }: Frame): boolean {
  const starts = [...served.slice(1).map((each) => each.exits.before), exits];
  return served.every((each, index) => each.exits.after === starts[index]);
}

/** Follows code that is reached only if a parameter was sent, if that is known. */
export function runIfSent<T>(frame: Frame, sent: ReadValue | undefined, run: () => T): T {
  if (sent) frame.presence.push(sent.read);
  const result = run();
  if (sent) frame.presence.pop();
  return result;
}

/** Requests without these are rejected, if the current location is always reached. */
export function requireReads(reads: readonly Parameters<typeof markRequired>[0][], frame: Frame): void {
  for (const each of reads) if (isCertain(frame, each.read)) markRequired(each);
}
