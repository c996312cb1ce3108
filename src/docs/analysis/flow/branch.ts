import type { Statement } from "oxc-parser";
import { Scope } from "./env.ts";
import type { Ending, Frame, Machine } from "./machine.ts";
import { type Env, literalsOf } from "./value.ts";

export interface Branch {
  readonly ending: Ending;
  /** The request is refused there. */
  readonly isRefusal: boolean;
}

/** Follows what may or may not be reached. */
export function runBranch(
  machine: Machine,
  statements: readonly Statement[],
  env: Env,
  frame: Frame,
): Branch {
  const { conditions, exits } = frame;
  const answersBefore = frame.effects.answers.length;
  frame.conditions++;
  const ending = machine.run(statements, new Scope(env.file, env), frame);
  frame.conditions = conditions;
  const answers = frame.effects.answers.slice(answersBefore);
  const refuses =
    answers.length > 0 &&
    answers.every(({ status }) => literalsOf(status)?.every((each) => Number(each) >= 400));
  const isRefusal = ending === "throws" || (ending === "returns" && refuses);
  if (ending === "returns" && !isRefusal) frame.exits++;
  if (frame.exits > exits) frame.conditions++;
  return { ending, isRefusal };
}

export function joinEndings(one: Ending, other: Ending): Ending {
  if (one === other) return one;
  if (one === "goes on" || other === "goes on") return "goes on";
  return one === "breaks" || other === "breaks" ? "breaks" : "returns";
}

export function takeCutOff(frame: Frame): boolean {
  const { isCutOff } = frame;
  frame.isCutOff = false;
  return isCutOff;
}
