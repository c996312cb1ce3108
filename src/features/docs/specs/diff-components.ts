import { breakingFirst, harmless, type SpecChange } from "./change.ts";
import { diffSchemas, pairOf } from "./diff-schemas.ts";
import { isObject, type Json, methodsOf, refsIn, resolveRef } from "./walk.ts";

/** How one named schema changed. */
export interface SchemaDiff {
  readonly kind: "added" | "removed" | "changed";
  readonly name: string;
  /** Breaking changes first. */
  readonly changes: readonly SpecChange[];
}

const sides = ["request", "response"] as const;
type Side = (typeof sides)[number];

/**
 * How the named schemas changed, by name. Names are not sent over the wire, so a new or removed name breaks nothing.
 * Changes to operations that used it are reported there.
 */
export function diffComponents(before: Json, after: Json): SchemaDiff[] {
  const [old, next] = [schemasOf(before), schemasOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  const uses = { request: usedIn(before, "request"), response: usedIn(before, "response") };
  const changesOf = (name: string): SpecChange[] => {
    const used = sides.filter((side) => uses[side].has(refTo(name)));
    // If both sides refer to a schema of the same name, its changes are reported at that schema.
    const reported = () => new Set(names.map((each) => pairOf(refTo(each), refTo(each))));
    return unite(
      used.flatMap((side) =>
        diffSchemas({ name }, side, [before, old[name]], [after, next[name]], reported()),
      ),
    );
  };
  return names
    .map((name): SchemaDiff => {
      if (!Object.hasOwn(old, name)) return { kind: "added", name, changes: [harmless(`${name} added`)] };
      if (!Object.hasOwn(next, name))
        return { kind: "removed", name, changes: [harmless(`${name} removed`)] };
      return { kind: "changed", name, changes: changesOf(name) };
    })
    .filter(({ changes }) => changes.length > 0);
}

function schemasOf({ components }: Json): Json {
  return isObject(components) && isObject(components.schemas) ? components.schemas : {};
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The references that a client encounters on one side, directly or through others. */
function usedIn(document: Json, side: Side): Set<string> {
  const items = isObject(document.paths) ? Object.values(document.paths).filter(isObject) : [];
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const ref of refsIn(value)) {
      if (found.has(ref)) continue;
      found.add(ref);
      visit(resolveRef(document, ref));
    }
  };
  for (const item of items) {
    for (const [, { parameters, requestBody, responses }] of methodsOf(item))
      visit(side === "request" ? [item.parameters, parameters, requestBody] : responses);
  }
  return found;
}

/** Each message once; breaking if it is breaking on either side. */
function unite(changes: readonly SpecChange[]): SpecChange[] {
  const united = new Map<string, SpecChange>();
  for (const change of changes.toSorted(breakingFirst)) {
    if (!united.has(change.message)) united.set(change.message, change);
  }
  return [...united.values()];
}
