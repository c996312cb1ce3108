import type { Expression } from "oxc-parser";
import type { Frame, InterpreterContext } from "../interpreter-context.ts";
import type { Origin } from "../values/reads.ts";
import type { Env } from "../values/value.ts";

/** Where a value is written. If the expression is just the name of a parameter, its callers provide the value. */
export function originOf(machine: InterpreterContext, node: Expression, env: Env, frame: Frame): Origin {
  const places = [machine.placeOf(node, env)];
  const bare = node.type === "AwaitExpression" ? node.argument : node;
  const binding = bare.type === "Identifier" ? env.find(bare.name) : undefined;
  // A parameter of an enclosing function is an argument of a different call.
  if (binding?.argument === undefined || binding.holder !== frame) return { places };
  return { places, argument: binding.argument };
}
