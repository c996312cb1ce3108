import type { Argument, Frame, InterpreterContext, Site } from "../interpreter-context.ts";
import { literalsOf, membersOf, union } from "../values/alternatives.ts";
import { malformedBody } from "../values/effects.ts";
import { asNumber, readsIn } from "../values/read-uses.ts";
import type { BodyRead } from "../values/reads.ts";
import {
  type ArrayValue,
  createArray,
  createObject,
  type ObjectValue,
  undefinedValue,
  unknown,
  type Value,
} from "../values/value.ts";
import { callArray, mapped } from "./arrays.ts";
import { isSure } from "./assignments.ts";
import { spreadInto } from "./literals.ts";
import { throwValue } from "./throwing.ts";
import { callUnknown, matchPattern } from "./unresolved-calls.ts";

/** The built-in functions that the analysis knows. */
export const nativeNames = new Set(
  "Number parseInt parseFloat String Boolean Array Object Reflect JSON Promise Math Set Map URL URLSearchParams isNaN structuredClone Symbol undefined NaN Infinity globalThis Buffer TextDecoder console setTimeout setInterval setImmediate queueMicrotask process Error TypeError RangeError Date".split(
    " ",
  ),
);

export function callNative(
  machine: InterpreterContext,
  name: string,
  receiver: Value | undefined,
  args: readonly Argument[],
  site: Site,
): Value {
  const first = args[0]?.value ?? unknown;
  switch (name) {
    case "Number":
    case "parseFloat":
    case "Number.parseFloat":
      return asNumber(first, "number");
    case "parseInt":
    case "Number.parseInt":
      return isDecimal(args[1]?.value) ? asNumber(first, "integer") : unknown;
    case "Number.isInteger":
    case "Number.isSafeInteger":
      for (const { read } of readsIn(first)) if (read.type === "number") read.type = "integer";
      return first.kind === "read" ? first : unknown;
    case "Number.isNaN":
    case "Number.isFinite":
    case "isNaN":
      return first.kind === "read" ? first : unknown;
    case "String":
    case "structuredClone":
    case "Promise.resolve":
    case "Object.freeze":
    case "Object.seal":
      return first;
    case "regex.test":
      return matchPattern(receiver ?? unknown, first) ?? callUnknown(machine, ".test", receiver, args, site);
    case "Boolean":
      return first.kind === "read" ? first : unknown;
    case "JSON.parse":
      return parseJson(machine, first, site);
    case "querystring.parse":
    case "querystring.default.parse":
      return hasAddress(first) ? { kind: "record" } : unknown;
    case "url.parse":
    case "url.default.parse":
      return hasAddress(first)
        ? createObject(undefined, new Map<string, Value>([["query", { kind: "record" }]]), unknown)
        : unknown;
    case "stream/consumers.json":
      return first.kind === "request" ? parseJson(machine, { kind: "raw" }, site) : unknown;
    case "bind":
      return receiver?.kind === "function"
        ? {
            ...receiver,
            self: args[0]?.value ?? receiver.self,
            ...(args.length > 1 && { bound: [...(receiver.bound ?? []), ...args.slice(1)] }),
          }
        : (receiver ?? unknown);
    case "call":
      return machine.call(receiver ?? unknown, args.slice(1), site);
    case "Object.fromEntries":
      return first.kind === "search" ? { kind: "record" } : fromEntries(first);
    case "Object.hasOwn":
      return lookUp(first, args[1]?.value ?? unknown) ?? unknown;
    case "Object.keys":
      return first.kind === "object" && !first.rest ? createArray(keysOf(first)) : unknown;
    case "Object.values":
      return first.kind === "object" && !first.rest ? createArray([...first.properties.values()]) : unknown;
    case "Object.entries":
      return entriesOf(first);
    case "Object.assign":
      return assign(
        machine,
        args.map(({ value }) => value),
        site.frame,
      );
    case "Array.from":
    case "Array.of":
      return name === "Array.of"
        ? createArray(args.map(({ value }) => value))
        : mapped(machine, first, args[1]?.value, site);
    case "Promise.all":
    case "Promise.race":
    case "Promise.any":
      return first.kind === "array" && name !== "Promise.all" ? union(first.items) : first;
    case "Promise.reject":
      throwValue(machine, site.node, first, site.env, site.frame, true);
      return unknown;
    default:
      if (receiver && name.startsWith("[]."))
        return callArray(machine, name.slice(3), receiver as ArrayValue, args, site);
      return callUnknown(machine, name, undefined, args, site);
  }
}

function parseJson(machine: InterpreterContext, value: Value, { node, env, frame }: Site): Value {
  const sent = membersOf(value).find(({ kind }) => kind === "body" || kind === "raw");
  if (sent?.kind === "body") {
    if (sent.body.form === "bound") return { ...sent, isText: false };
    sent.body.form = "json";
    frame.effects.throws.push({ error: malformedBody, place: machine.placeOf(node, env) });
    return { ...sent, isText: false };
  }
  if (sent?.kind !== "raw") return unknown;
  const body: BodyRead = {
    place: machine.placeOf(node, env),
    by: "raw",
    form: "json",
    named: undefined,
    types: [],
    isRequired: frame.conditions === 0,
    isServedWithout: false,
    isCaught: false,
    guardsAccess: false,
  };
  frame.effects.bodies.push(body);
  frame.effects.throws.push({ error: malformedBody, place: body.place });
  return { kind: "body", body, isText: false };
}

/** Whether a parameter is a key of an object: `Object.hasOwn(RATES, q)`. */
export function lookUp(object: Value, key: Value): Value | undefined {
  if (object.kind !== "object" || object.rest || key.kind !== "read" || key.form !== "text") return undefined;
  return { kind: "check", read: key, values: object.isSecret ? undefined : [...object.properties.keys()] };
}

/** The names of an object's properties. The keys of a secret object may be secrets: `TENANT_BY_TOKEN`. */
export function keysOf({ properties, isSecret }: ObjectValue): Value[] {
  return [...properties.keys()].map((value) => ({ kind: "literal", value, isSecret }));
}

function entriesOf(value: Value): Value {
  if (value.kind !== "object" || value.rest) return value.kind === "search" ? value : unknown;
  const values = [...value.properties.values()];
  return createArray(keysOf(value).map((name, index) => createArray([name, values[index]!])));
}

function fromEntries(value: Value): Value {
  if (value.kind !== "array" || !value.isComplete) return unknown;
  const properties = new Map<string, Value>();
  for (const item of value.items) {
    const name = item.kind === "array" ? literalsOf(item.items[0] ?? unknown) : undefined;
    if (item.kind !== "array" || name?.length !== 1) return unknown;
    properties.set(String(name[0]), item.items[1] ?? unknown);
  }
  return createObject(undefined, properties);
}

function assign(machine: InterpreterContext, [target, ...sources]: readonly Value[], frame: Frame): Value {
  if (target?.kind !== "object") return target ?? unknown;
  machine.touch(target.createdIn);
  const before = new Map(target.properties);
  for (const source of sources) spreadInto(target, source);
  if (isSure(frame, target)) return target;
  for (const [name, value] of target.properties)
    target.properties.set(name, union([before.get(name) ?? undefinedValue, value]));
  return target;
}

const hasAddress = (value: Value) => membersOf(value).some(({ kind }) => kind === "text");

/** Whether the radix of `parseInt` is 10. The digits of other radixes do not form a JSON number. */
function isDecimal(radix: Value | undefined): boolean {
  if (radix === undefined) return true;
  const values = literalsOf(radix);
  return values?.length === 1 && (values[0] === 10 || values[0] === undefined);
}
