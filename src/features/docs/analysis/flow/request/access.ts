import type { Node } from "oxc-parser";
import { childrenOf } from "../../source/source-file.ts";
import type { Ending, Frame } from "../interpreter-context.ts";
import type { Condition } from "../values/condition.ts";
import { deniesAccess } from "../values/denials.ts";
import { readsIn } from "../values/read-uses.ts";
import type { Read } from "../values/reads.ts";
import type { Env, Value } from "../values/value.ts";

/**
 * Access control. A parameter that causes a 401 or 403 is a credential, whatever its name: the document does not show
 * its accepted values.
 */

/** Marks everything that a condition depends on. `read` are the parameters read during its evaluation. */
export function guardAccess(test: Node, condition: Condition, read: readonly Read[], env: Env): void {
  for (const each of readsOf(test, condition, read, env)) each.guardsAccess = true;
}

export function readsOf(test: Node, condition: Condition, read: readonly Read[], env: Env): Read[] {
  const { trueWithout, falseWithout, trueUnless, falseUnless } = condition;
  const known = [...trueWithout, ...falseWithout, trueUnless?.read, falseUnless?.read];
  return [...read, ...known.flatMap((value) => value?.read ?? []), ...readsNamedIn(test, env)];
}

/** The parameters behind the names in an expression. */
export function readsNamedIn(node: Node, env: Env): Read[] {
  const binding = node.type === "Identifier" ? env.find(node.name) : undefined;
  return [
    ...(binding?.from ?? []),
    ...readsBehind(namedValue(node, env)),
    ...childrenOf(node).flatMap((each) => readsNamedIn(each, env)),
  ];
}

function namedValue(node: Node, env: Env): Value | undefined {
  if (node.type === "Identifier") return env.lookup(node.name);
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier")
    return undefined;
  const object = env.lookup(node.object.name);
  const { property } = node;
  return object?.kind === "object" && property.type === "Identifier"
    ? object.properties.get(property.name)
    : undefined;
}

function readsBehind(value: Value | undefined): Read[] {
  if (value === undefined) return [];
  if (value.kind === "check") return [value.read.read];
  if (value.kind === "opaque") return (value.from ?? []).map(({ read }) => read);
  return readsIn(value).map(({ read }) => read);
}

/**
 * Called at the end of a block: `if (isKnown(q)) return …; throw e.error(401)`. Settles only the block's own choices,
 * which start at `first`. Choices of enclosing blocks are settled there.
 */
export function settleChoices(frame: Frame, first: number, ending: Ending, isRefusal: boolean): void {
  if (ending !== "throws" && ending !== "returns") return;
  for (const { reads, since } of frame.choices.splice(first))
    if (isRefusal && deniesAccess(frame.effects, since)) for (const read of reads) read.guardsAccess = true;
}

/** Marks all parameters for which only some values are accepted, here and in the callers. */
export function guardAll(frame: Frame): void {
  for (let each: Frame | undefined = frame; each; each = each.caller)
    for (const read of each.effects.reads) if (read.values) read.guardsAccess = true;
}
