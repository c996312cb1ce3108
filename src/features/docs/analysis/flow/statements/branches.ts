import type { Statement } from "oxc-parser";
import { refuseIfFalse, refuseIfTrue, requireReads, runIfSent } from "../expressions/choices.ts";
import { evaluateCondition } from "../expressions/conditions.ts";
import { createFrame, type Ending, type Frame, type InterpreterContext } from "../interpreter-context.ts";
import { readsOf } from "../request/access.ts";
import {
  bodiesSince,
  deniedSince,
  guardBodies,
  makeOptional,
  openGate,
  runUnder,
} from "../request/body-uses.ts";
import { isCertainIfSent } from "../request/certainty.ts";
import { hasSecret, isOfRoute, literalsOf, truthOf } from "../values/alternatives.ts";
import type { Condition } from "../values/condition.ts";
import { markEffects } from "../values/effects.ts";
import { Scope } from "../values/env.ts";
import type { Primitive } from "../values/primitive.ts";
import { markValues, readsIn } from "../values/read-uses.ts";
import { type Env, unknown, type Value } from "../values/value.ts";
import { type Branch, joinEndings, mayBreak, runBranch, takeCutOff } from "./branch.ts";
import { errorCheck } from "./catching.ts";

export function runIf(
  machine: InterpreterContext,
  node: Extract<Statement, { type: "IfStatement" }>,
  env: Env,
  frame: Frame,
): Ending {
  const { reads } = frame.effects;
  const readsBefore = reads.length;
  const usesBefore = frame.effects.uses.length;
  const condition = evaluateCondition(machine, node.test, env, frame);
  const { value, isByComparison } = condition;
  const readsAfter = reads.length;
  const bodies = bodiesSince(frame.effects, usesBefore);
  const { exits } = frame;
  const before = markEffects(frame.effects);
  if (takeCutOff(frame)) return "throws";
  const truth = truthOf(value);
  const decided = truth === true ? node.consequent : truth === false ? node.alternate : undefined;
  const other = truth ? node.alternate : node.consequent;
  if (truth !== undefined && isByComparison && other) keepErrors(machine, [other], env, frame);
  if (truth !== undefined)
    return decided ? machine.run([decided], new Scope(env.file, env), frame) : "goes on";
  const conditions = frame.conditions;
  const check = errorCheck(machine, node.test, env, frame);
  const wasRethrown = check?.caught.isRethrown;
  const returnedBefore = frame.returned.length;
  const yes = runUnder(frame, bodies, () =>
    runIfSent(frame, condition.trueIfSent, () => runBranch(machine, [node.consequent], env, frame)),
  );
  noteFallback(condition, yes, returnedBefore, frame);
  if (
    check &&
    yes.ending !== "goes on" &&
    (check.isNegated ? check.caught.isRethrown : check.caught.isRethrown === wasRethrown)
  )
    check.caught.handled.push(check.of);
  const after = frame.conditions;
  frame.conditions = conditions;
  if (yes.isRefusal) refuseIfTrue(condition, frame);
  const { alternate } = node;
  const no = alternate
    ? runUnder(frame, bodies, () =>
        runIfSent(frame, condition.falseIfSent, () => runBranch(machine, [alternate], env, frame)),
      )
    : undefined;
  const afterElse = frame.conditions;
  frame.conditions = conditions;
  if (no?.isRefusal) refuseIfFalse(condition, frame);
  if (!yes.isRefusal) makeOptional(condition.trueIfEmpty);
  if (!no?.isRefusal) makeOptional(condition.falseIfEmpty);
  const tested = readsOf(node.test, condition, reads.slice(readsBefore, readsAfter), env);
  if (yes.deniesAccess || no?.deniesAccess) for (const read of tested) read.guardsAccess = true;
  if (yes.deniesAccess || no?.deniesAccess || deniedSince(frame.effects, before)) guardBodies(bodies, frame);
  if (frame.exits > exits) openGate(frame, bodies);
  if (frame.exits > exits) frame.choices.push({ reads: tested, since: markEffects(frame.effects) });
  frame.conditions = Math.max(after, afterElse);
  if (!no && yes.ending === "returns" && !yes.isRefusal)
    frame.served.push({ condition, conditions, exits: { before: exits, after: frame.exits } });
  // `if (!q) return …;`: the following code is reached only if the parameter was sent.
  if (!no && condition.falseIfSent && frame.conditions === conditions + 1)
    frame.presence.push(condition.falseIfSent.read);
  return no ? joinEndings(yes.ending, no.ending) : "goes on";
}

/** `if (!q) return 25;`: the return value for a request without the parameter. */
function noteFallback(
  { falseIfSent, trueWithout }: Condition,
  { ending, isRefusal }: Branch,
  from: number,
  frame: Frame,
): void {
  const [value, other] = frame.returned.slice(from);
  if (ending !== "returns" || isRefusal || value?.kind !== "literal" || other) return;
  const isNothing = value.value === undefined || value.value === null;
  const missing = isNothing ? trueWithout : falseIfSent ? [falseIfSent] : [];
  if (missing.length > 0) frame.fallbacks.push({ missing, value });
}

/**
 * A function that rejects some values is documented with its errors, even if it is called with another value here: an
 * extra error does less harm than a missing one.
 */
function keepErrors(
  machine: InterpreterContext,
  statements: readonly Statement[],
  env: Env,
  frame: Frame,
): void {
  const aside = createFrame({ caller: frame, self: frame.self, home: frame.home, conditions: 1 });
  machine.run(statements, new Scope(env.file, env), aside);
  frame.effects.throws.push(...aside.effects.throws);
}

export function runSwitch(
  machine: InterpreterContext,
  node: Extract<Statement, { type: "SwitchStatement" }>,
  env: Env,
  frame: Frame,
): Ending {
  const usesBefore = frame.effects.uses.length;
  const subject = machine.evaluate(node.discriminant, env, frame);
  const labels = node.cases.map(({ test }) => test && machine.evaluate(test, env, frame));
  const tests = labels.map((label) => (label ? literalsOf(label) : undefined));
  const known = literalsOf(subject);
  const isDecided = isAmong(known, tests);
  const bodies = bodiesSince(frame.effects, usesBefore);
  const before = markEffects(frame.effects);
  const { exits } = frame;
  const scope = new Scope(env.file, env);
  const endings: Ending[] = [];
  let otherwise: Branch | undefined;
  let fallsThrough = false;
  let isBroken = false;
  const conditions = frame.conditions;
  let after = conditions;
  node.cases.forEach((each, index) => {
    const isMeant = each.test ? mayEqual(known, tests[index]) : !isDecided;
    // A case that cannot match is not followed, unless the previous case falls through.
    if (!isMeant && !fallsThrough) {
      if (!each.test && !isOfRoute(subject)) keepErrors(machine, each.consequent, scope, frame);
      return;
    }
    // A condition on the route is not a condition on the request.
    if (isOfRoute(subject)) frame.conditions--;
    const branch = runUnder(frame, bodies, () => runBranch(machine, each.consequent, scope, frame));
    fallsThrough = branch.ending === "goes on";
    isBroken ||= mayBreak(each);
    after = Math.max(after, frame.conditions);
    frame.conditions = conditions;
    if (each.consequent.length > 0 || index === node.cases.length - 1) endings.push(branch.ending);
    if (!each.test) otherwise = branch;
  });
  const allKnown = node.cases.every(({ test }, index) => !test || tests[index]);
  const isShown = !labels.some((label) => label && hasSecret(label));
  const served = tests.flatMap((each) => each ?? []);
  if (otherwise?.isRefusal) refuseOthers(subject, { served, allKnown, isShown }, otherwise, frame);
  const isServed = !isBroken && endings.every((ending) => ending === "returns");
  if (!otherwise && isServed && allKnown && isShown) {
    const condition = isAmongServed(subject, served);
    if (condition) frame.served.push({ condition, conditions, exits: { before: exits, after: frame.exits } });
  }
  if (otherwise?.deniesAccess || deniedSince(frame.effects, before)) guardBodies(bodies, frame);
  if (frame.exits > exits) openGate(frame, bodies);
  if (!otherwise) {
    const chosen = readsIn(subject).map(({ read }) => read);
    frame.choices.push({ reads: chosen, since: markEffects(frame.effects) });
  }
  frame.conditions = after;
  if (isBroken || !(otherwise || isDecided)) return "goes on";
  return endings.reduce(joinEndings, "throws");
}

interface Cases {
  /** The values of all cases. */
  readonly served: readonly Primitive[];
  readonly allKnown: boolean;
  /** Whether none of the values is a secret. */
  readonly isShown: boolean;
}

const isValue = (value: Primitive) => value !== undefined && value !== null;

/** The default rejects all values without a case. */
function refuseOthers(
  subject: Value,
  { served, allKnown, isShown }: Cases,
  otherwise: Branch,
  frame: Frame,
): void {
  const values = served.filter(isValue);
  for (const read of readsIn(subject)) {
    if (allKnown && isShown && isCertainIfSent(frame, read.read)) markValues(read, values);
    if (otherwise.deniesAccess) read.read.guardsAccess = true;
    if (allKnown && served.every(isValue)) requireReads([read], frame);
  }
}

/**
 * Without a default, execution continues for other values, and they may be rejected later. The condition is true for
 * the values of the cases.
 */
function isAmongServed(subject: Value, served: readonly Primitive[]): Condition | undefined {
  const [read, another] = readsIn(subject);
  if (!read || another) return undefined;
  return {
    value: unknown,
    trueWithout: [],
    falseWithout: served.every(isValue) ? [read] : [],
    falseUnless: { read, values: served.filter(isValue) },
  };
}

type Values = readonly Primitive[] | undefined;

const mayEqual = (one: Values, other: Values) => !one || !other || one.some((value) => other.includes(value));

/** Whether every possible value of the subject has a case, so that the default cannot be reached. */
function isAmong(known: Values, tests: readonly Values[]): boolean {
  return known?.every((value) => tests.some((test) => test?.length === 1 && test[0] === value)) ?? false;
}
