import type { Argument, Ending, Frame } from "../interpreter-context.ts";
import { literalsOf, membersOf, union } from "../values/alternatives.ts";
import { deniesAccess, isDenial, mentionsDenial } from "../values/denials.ts";
import type { EffectMark, Effects } from "../values/effects.ts";
import type { GuardedInput } from "../values/reads.ts";
import { type Env, requestParts, unknown, type Value } from "../values/value.ts";

/**
 * Tracks which expressions depend on the request body. Every evaluation records the bodies behind its value, so the
 * records made during an expression are the bodies that it depends on.
 */

export function bodiesBehind(value: Value): readonly GuardedInput[] {
  if (value.kind === "body") return [value.body];
  if (value.kind === "opaque") return value.bodies ?? [];
  return value.kind === "union" ? value.values.flatMap(bodiesBehind) : [];
}

export function noteBodies(value: Value, { uses }: Effects): void {
  if (value.kind === "body" || value.kind === "opaque" || value.kind === "union")
    uses.push(...bodiesBehind(value));
}

/** A name may hold a constant chosen because of a body: `const isRight = body.word === "x"`. */
export function noteName(name: string, value: Value, env: Env, { uses }: Effects): void {
  const bodies = isTool(value) ? undefined : env.find(name)?.bodies;
  if (bodies) uses.push(...bodies);
}

/** The event and functions do not depend on the body, even if they are stored next to it. */
const isTool = ({ kind }: Value) =>
  requestParts.includes(kind) || ["function", "method", "class", "module", "annex", "native"].includes(kind);

/** Requests without these bodies are accepted. */
export function makeOptional(bodies: readonly GuardedInput[] | undefined): void {
  for (const body of bodies ?? []) body.isServedWithout = true;
}

/** The bodies recorded since then; `undefined` if there are none. */
export function bodiesSince({ uses }: Effects, since: number): readonly GuardedInput[] | undefined {
  return uses.length > since ? [...new Set(uses.slice(since))] : undefined;
}

/** An unknown value that depends on these bodies. */
export function opaqueOf(bodies: readonly GuardedInput[] | undefined): Value {
  return bodies && bodies.length > 0 ? { kind: "opaque", bodies: [...new Set(bodies)] } : unknown;
}

/** The same value, which also depends on these bodies. */
export function withBodies(value: Value, bodies: readonly GuardedInput[]): Value {
  const isNews = bodies.length > 0 && bodiesBehind(value).length === 0 && !isTool(value);
  return isNews ? union([...membersOf(value), opaqueOf(bodies)]) : value;
}

/** The bodies that decide whether the current location is reached. */
export function bodiesAround(frame: Frame): readonly GuardedInput[] {
  const found: GuardedInput[] = [];
  for (let each: Frame | undefined = frame; each; each = each.caller) {
    found.push(...each.control);
    // Any expression in a `try` block may be the last one evaluated.
    if (each.uncertain > 0) found.push(...each.effects.uses);
  }
  return [...new Set(found)];
}

/** Follows code that is reached depending on these bodies. */
export function runUnder<T>(frame: Frame, bodies: readonly GuardedInput[] | undefined, run: () => T): T {
  const { control } = frame;
  if (bodies) frame.control = [...control, ...bodies];
  const result = run();
  frame.control = control;
  return result;
}

/** Marks bodies that may cause access to be denied. A caller may have copies of them. */
export function guardBodies(bodies: readonly GuardedInput[] | undefined, frame: Frame): void {
  if (!bodies) return;
  for (const body of bodies) body.guardsAccess = true;
  for (let each: Frame | undefined = frame; each; each = each.caller)
    for (const body of [...each.effects.bodies, ...each.effects.queries])
      if (bodies.some(({ place }) => isSame(place, body.place))) body.guardsAccess = true;
}

const isSame = (one: GuardedInput["place"], other: GuardedInput["place"]) =>
  one.file === other.file && one.start === other.start && one.end === other.end;

/** A status chosen because of a body: `e.json(isRight ? 200 : 401, …)`. */
export function guardStatus(status: Argument | undefined, frame: Frame): void {
  if (status?.bodies && isDenial(literalsOf(status.value))) guardBodies(status.bodies, frame);
}

/** Whether the responses since then certainly include 401 or 403. */
export function deniedSince({ responses, throws }: Effects, since: EffectMark): boolean {
  return mentionsDenial({ responses: responses.slice(since.responses), throws: throws.slice(since.throws) });
}

/** Some requests were accepted depending on these bodies. The following code may reject the others. */
export function openGate(frame: Frame, bodies: readonly GuardedInput[] | undefined): void {
  if (bodies) frame.gates.push(bodies);
}

/** Called at the end of a block. `first` is its first gate, `since` is the start of its last statement. */
export function settleGates(frame: Frame, first: number, ending: Ending, since: EffectMark): void {
  if (frame.gates.length === first || ending === "breaks") return;
  const { effects } = frame;
  if (deniedSince(effects, since) || (ending === "throws" && deniesAccess(effects, since)))
    for (const bodies of frame.gates.slice(first)) guardBodies(bodies, frame);
}
