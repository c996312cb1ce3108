import type { Node, Statement } from "oxc-parser";
import { childrenOf } from "../../source/source-file.ts";
import type { Ending, Frame, InterpreterContext } from "../interpreter-context.ts";
import { deniesAccess, refuses } from "../values/denials.ts";
import { markEffects } from "../values/effects.ts";
import { Scope } from "../values/env.ts";
import type { Env } from "../values/value.ts";

export interface Branch {
  readonly ending: Ending;
  /** Whether the branch rejects the request. */
  readonly isRefusal: boolean;
  /** Whether the branch rejects the request and may deny access. */
  readonly deniesAccess: boolean;
}

/** Follows code that may or may not be reached. */
export function runBranch(
  machine: InterpreterContext,
  statements: readonly Statement[],
  env: Env,
  frame: Frame,
): Branch {
  const { conditions, exits } = frame;
  const present = frame.presence.length;
  const before = markEffects(frame.effects);
  const { headers } = frame.effects;
  const headersBefore = headers.length;
  frame.conditions++;
  const ending = machine.run(statements, new Scope(env.file, env), frame);
  frame.conditions = conditions;
  frame.presence.length = present;
  // Headers set in a branch that returns or throws are not set in the code after it.
  if (ending === "returns" || ending === "throws") headers.length = headersBefore;
  const isRefusal = ending === "throws" || (ending === "returns" && refuses(frame.effects, before));
  if (ending === "returns" && !isRefusal) frame.exits++;
  if (frame.exits > exits) frame.conditions++;
  return { ending, isRefusal, deniesAccess: isRefusal && deniesAccess(frame.effects, before) };
}

export function joinEndings(one: Ending, other: Ending): Ending {
  if (one === other) return one;
  if (one === "goes on" || other === "goes on") return "goes on";
  return one === "breaks" || other === "breaks" ? "breaks" : "returns";
}

/**
 * Whether a `break` may leave the loop, the `switch` or the labelled statement with this body. A `break` in an inner
 * loop leaves only that loop, unless it has a label.
 */
export function mayBreak(node: Node, isInner = false): boolean {
  if (node.type === "BreakStatement") return node.label !== null || !isInner;
  if (/Function/.test(node.type)) return false;
  const isBreakable = /^(For|While|DoWhile|Switch).*Statement$/.test(node.type);
  return childrenOf(node).some((child) => mayBreak(child, isInner || isBreakable));
}

export function takeCutOff(frame: Frame): boolean {
  const { isCutOff } = frame;
  frame.isCutOff = false;
  return isCutOff;
}
