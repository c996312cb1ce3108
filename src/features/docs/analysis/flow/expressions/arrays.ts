import type { Argument, InterpreterContext, Site } from "../interpreter-context.ts";
import { derived, hasSecret, literalsOf, union } from "../values/alternatives.ts";
import {
  type ArrayValue,
  createArray,
  literal,
  undefinedValue,
  unknown,
  type Value,
} from "../values/value.ts";

/** The supported methods of arrays with known items. */
export const arrayMethods = new Set(
  "includes some every map forEach flatMap filter find findLast reduce reduceRight join concat slice at push unshift indexOf keys values entries has add toSorted sort reverse toReversed flat".split(
    " ",
  ),
);

export function callArray(
  machine: InterpreterContext,
  name: string,
  receiver: ArrayValue,
  args: readonly Argument[],
  site: Site,
): Value {
  const first = args[0]?.value ?? unknown;
  switch (name) {
    case "includes":
    case "has":
      return lookFor(receiver, first);
    case "indexOf":
      return unknown;
    case "map":
    case "flatMap":
      return mapped(machine, receiver, first, site);
    case "forEach":
    case "some":
    case "every":
    case "filter":
    case "find":
    case "findLast":
    case "reduce":
    case "reduceRight": {
      const folded = fold(machine, receiver, name === "reduceRight", args, site);
      if (folded) return folded;
      const item = receiver.isComplete && receiver.items.length > 0 ? union(receiver.items) : unknown;
      const given = name.startsWith("reduce") ? [unknown, item] : [item];
      machine.callLater(first, given, site, true);
      if (name === "filter") return createArray([...receiver.items], false);
      return name === "find" || name === "findLast" ? union([item, undefinedValue]) : unknown;
    }
    case "push":
    case "unshift":
    case "add":
      machine.touch(receiver.createdIn);
      receiver.items.push(...args.map(({ value }) => value));
      receiver.isComplete = false;
      return receiver;
    case "concat":
      return createArray(
        [...receiver.items, ...(first.kind === "array" ? first.items : [first])],
        first.kind === "array" && first.isComplete,
      );
    case "join": {
      const isRaw = receiver.items.some(({ kind }) => kind === "raw");
      return isRaw ? { kind: "raw" } : joined(receiver, first);
    }
    case "at":
      return union([...receiver.items, undefinedValue]);
    default:
      return receiver;
  }
}

/** `wrappers.reduceRight((inner, wrap) => wrap(inner), handler)`: nested wrapper functions. */
function fold(
  machine: InterpreterContext,
  { items, isComplete }: ArrayValue,
  isFromRight: boolean,
  [callback, initial]: readonly Argument[],
  site: Site,
): Value | undefined {
  const isOfFunctions = isComplete && items.length > 0 && items.every(({ kind }) => kind === "function");
  if (!isOfFunctions || callback?.value.kind !== "function" || !initial) return undefined;
  const toArgument = (value: Value): Argument => ({ value, origin: { places: [] } });
  return (isFromRight ? items.toReversed() : items).reduce<Value>(
    (inner, item) => machine.call(callback.value, [toArgument(inner), toArgument(item)], site),
    initial.value,
  );
}

/** `ROLES.includes(q)` checks whether `q` is one of them. */
function lookFor({ items, isComplete }: ArrayValue, wanted: Value): Value {
  const values = isComplete ? items.map((item) => literalsOf(item)) : [undefined];
  if (!values.every((each) => each?.length === 1)) return unknown;
  const known = values.map((each) => each![0]);
  if (wanted.kind === "read")
    return { kind: "check", read: wanted, values: items.some(hasSecret) ? undefined : known };
  const sought = literalsOf(wanted);
  return sought?.length === 1 ? literal(known.includes(sought[0])) : unknown;
}

function joined({ items, isComplete }: ArrayValue, separator: Value): Value {
  const values = items.map((item) => literalsOf(item));
  const by = literalsOf(separator)?.[0] ?? ",";
  return isComplete && values.every((each) => each?.length === 1)
    ? derived(values.map((each) => each![0]).join(String(by)), [...items, separator])
    : unknown;
}

export function mapped(
  machine: InterpreterContext,
  source: Value,
  callback: Value | undefined,
  site: Site,
): Value {
  if (callback === undefined) return source;
  if (source.kind !== "array" || !source.isComplete) {
    const item = machine.callLater(
      callback,
      [source.kind === "array" ? union(source.items) : unknown],
      site,
      true,
    );
    return createArray([item], false);
  }
  return createArray(
    source.items.map((item, index) => machine.callLater(callback, [item, literal(index)], site, true)),
  );
}
