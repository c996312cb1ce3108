import type { Expression, Statement } from "oxc-parser";
import { declarePattern } from "../expressions/patterns.ts";
import type { Caught, Ending, Frame, InterpreterContext } from "../interpreter-context.ts";
import { guardAll } from "../request/access.ts";
import { bodiesSince, guardBodies, makeOptional, openGate, runUnder } from "../request/body-uses.ts";
import { holdConstraints } from "../request/constraints.ts";
import { mentionsDenial } from "../values/denials.ts";
import { type EffectMark, type Effects, markEffects, type Thrown, thrownBehind } from "../values/effects.ts";
import { Scope } from "../values/env.ts";
import { type ClassValue, type Env, unknown, type Value } from "../values/value.ts";
import { joinEndings, runBranch } from "./branch.ts";

/** `error instanceof X`, or its negation, for the error of a `catch`. */
export function errorCheck(
  machine: InterpreterContext,
  test: Expression,
  env: Env,
  frame: Frame,
): { caught: Caught; of: Value; isNegated: boolean } | undefined {
  const isNegated = test.type === "UnaryExpression" && test.operator === "!";
  const inner = isNegated ? test.argument : test;
  if (inner.type !== "BinaryExpression" || inner.operator !== "instanceof") return undefined;
  const caught = machine.caught.get(machine.evaluate(inner.left, env, frame));
  return caught && { caught, of: machine.evaluate(inner.right, env, frame), isNegated };
}

export function runTry(
  machine: InterpreterContext,
  node: Extract<Statement, { type: "TryStatement" }>,
  env: Env,
  frame: Frame,
): Ending {
  const { throws, bodies, queries } = frame.effects;
  const thrownBefore = throws.length;
  const usesBefore = frame.effects.uses.length;
  const { exits } = frame;
  const bodiesBefore = bodies.length;
  const queriesBefore = queries.length;
  const restoreConstraints = holdConstraints(frame);
  const rethrownBefore = new Map([...machine.caught.values()].map((each) => [each, each.isRethrown]));
  if (node.handler) frame.uncertain++;
  const tried = machine.run(node.block.body, new Scope(env.file, env), frame);
  if (node.handler) frame.uncertain--;
  const tested = bodiesSince(frame.effects, usesBefore);
  if (node.handler && (tried === "returns" || frame.exits > exits)) openGate(frame, tested);
  let ending = tried;
  if (node.handler) {
    const caught: Caught = { isRethrown: false, handled: [] };
    const inTry = throws.splice(thrownBefore);
    const bodiesInTry = bodies.slice(bodiesBefore);
    const queriesInTry = queries.slice(queriesBefore);
    // If an error of an outer `catch` is rethrown in this block, it ends here.
    for (const [outer, isRethrown] of rethrownBefore) outer.isRethrown = isRethrown;
    const error: Value =
      inTry.length > 0 ? { kind: "union", values: inTry.map(({ error: each }) => each) } : { kind: "opaque" };
    // A separate object, which identifies rethrown errors.
    const held: Value = { ...error, ...(error.kind === "union" && { values: [...error.values, unknown] }) };
    machine.caught.set(held, caught);
    const scope = new Scope(env.file, env);
    if (node.handler.param)
      declarePattern(
        machine,
        node.handler.param,
        held,
        scope,
        frame,
        (name, value) => void scope.declare(name, value, frame),
      );
    const before = markEffects(frame.effects);
    const { body } = node.handler;
    const handled = runUnder(frame, tested, () => runBranch(machine, body.body, scope, frame));
    machine.caught.delete(held);
    if (handled.deniesAccess && !caught.isRethrown) guardAll(frame);
    if ((handled.deniesAccess && !caught.isRethrown) || isDeniedBy(frame.effects, before, inTry))
      guardBodies(tested, frame);
    const thrownAgain = throws
      .splice(thrownBefore)
      .filter(({ error: each }) => !caught.isRethrown || !inTry.some((known) => known.error === each));
    if (caught.isRethrown) throws.push(...rethrown(inTry, caught));
    else if (!handled.isRefusal) restoreConstraints();
    if (!caught.isRethrown) for (const read of [...bodiesInTry, ...queriesInTry]) read.isCaught = true;
    if (!caught.isRethrown && !handled.isRefusal) {
      makeOptional(bodiesInTry);
      for (const query of queriesInTry) query.isRequired = false;
    }
    throws.push(...thrownAgain);
    ending = joinEndings(tried, handled.ending);
  }
  if (node.finalizer) {
    const last = machine.run(node.finalizer.body, new Scope(env.file, env), frame);
    if (last !== "goes on") return last;
  }
  return ending;
}

/** Whether the `catch` itself denies access. It may also rethrow its error. */
function isDeniedBy({ responses, throws }: Effects, since: EffectMark, inTry: readonly Thrown[]): boolean {
  const own = throws.slice(since.throws).filter(({ error }) => !inTry.some((each) => each.error === error));
  return mentionsDenial({ responses: responses.slice(since.responses), throws: own });
}

/** The errors that a `catch` rethrows. */
export function rethrown(thrown: readonly Thrown[], { handled }: Caught): Thrown[] {
  return thrown
    .filter(({ error }) => !handled.some((of) => isOf(error.classes, of)))
    .map((each) =>
      each.error === thrownBehind && handled.length > 0
        ? { ...each, handled: [...(each.handled ?? []), ...handled] }
        : each,
    );
}

export function isOf(classes: readonly ClassValue[], of: Value): boolean {
  if (of.kind === "annex") return of.name === "ApiError";
  return of.kind === "class" && classes.some(({ node }) => node === of.node);
}
