import type { Node } from "oxc-parser";
import type { Frame, InterpreterContext } from "../interpreter-context.ts";
import { membersOf } from "../values/alternatives.ts";
import type { Env, Value } from "../values/value.ts";

/** Records a thrown value: an `ApiError`, or the error of a `catch`. */
export function throwValue(
  machine: InterpreterContext,
  node: Node,
  value: Value,
  env: Env,
  frame: Frame,
  isRejection = false,
): void {
  const caught = machine.caught.get(value);
  if (caught) caught.isRethrown = true;
  for (const member of membersOf(value)) {
    if (member.kind === "error")
      frame.effects.throws.push({
        error: member,
        place: machine.placeOf(node, env),
        ...(isRejection && { isRejection }),
      });
  }
}
