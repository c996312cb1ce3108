import type { Expression } from "oxc-parser";
import type { Frame, Machine } from "./machine.ts";
import type { Origin } from "./reads.ts";
import type { Env } from "./value.ts";

/** Where a value was written; a mere name of a parameter stands for what the caller wrote. */
export function originOf(machine: Machine, node: Expression, env: Env, frame: Frame): Origin {
  const places = [machine.placeOf(node, env)];
  const bare = node.type === "AwaitExpression" ? node.argument : node;
  const binding = bare.type === "Identifier" ? env.find(bare.name) : undefined;
  // A parameter of a function around this one is an argument of another call.
  if (binding?.argument === undefined || binding.holder !== frame) return { places };
  return { places, argument: binding.argument };
}
