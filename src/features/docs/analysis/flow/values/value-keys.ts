import type { GuardedInput } from "./reads.ts";
import type { Value } from "./value.ts";

let identities = 0;
const identified = new WeakMap<object, number>();

function identityOf(thing: object): number {
  const known = identified.get(thing);
  if (known !== undefined) return known;
  identified.set(thing, ++identities);
  return identities;
}

export const bodiesKey = (bodies: readonly GuardedInput[] | undefined): string =>
  bodies ? ` of ${bodies.map(identityOf).join()}` : "";

/** Equal for values with the same analysis results. */
export function keyOf(value: Value, depth = 0): string {
  switch (value.kind) {
    case "literal":
      return `${value.isSecret ? "secret " : ""}${typeof value.value}:${String(value.value)}`;
    case "opaque":
      return `?${value.from?.map(({ read }) => identityOf(read)).join() ?? ""}${bodiesKey(value.bodies)}`;
    case "union":
      return `(${value.values.map((member) => keyOf(member, depth + 1)).join("|")})`;
    case "object":
      if (depth > 4) return `o${identityOf(value)}`;
      return `{${[...value.properties].map(([name, each]) => `${name}=${keyOf(each, depth + 1)}`).join()}${value.rest ? "…" : ""}}`;
    case "array":
      if (depth > 4) return `a${identityOf(value)}`;
      return `[${value.items.map((each) => keyOf(each, depth + 1)).join()}${value.isComplete ? "" : "…"}]`;
    case "function":
      return `f${value.file.path}:${value.node.start}:${value.env.stamp}:${value.self ? keyOf(value.self, depth + 1) : ""}${(value.bound ?? []).map((each) => keyOf(each.value, depth + 1)).join()}`;
    case "class":
      return `c${value.file.path}:${value.node.start}`;
    case "instance":
      return `i${identityOf(value)}.${value.changes}`;
    case "module":
      return `m${value.path}`;
    case "native":
      return `n${value.name}${value.receiver ? identityOf(value.receiver) : ""}`;
    case "annex":
      return `x${value.name}`;
    case "method":
      return `${value.of}.${value.name}`;
    case "read":
      return `r${identityOf(value.read)}${value.whenMissing}${value.form}${value.isTrimmed ? " trimmed" : ""}`;
    case "check":
      return `k${identityOf(value.read.read)}${value.values?.join()}${JSON.stringify(value.bounds ?? "")}`;
    case "body":
      return `b${identityOf(value.body)}${value.isText}`;
    case "regex":
      return `/${value.pattern}/${value.flags}`;
    case "error":
      return `e${value.made.file}:${value.made.start}`;
    default:
      return value.kind;
  }
}
