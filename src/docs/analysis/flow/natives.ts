import type { Argument, Machine, Site } from "./machine.ts";
import { asNumber, markValues, readsIn } from "./read-uses.ts";
import type { BodyRead } from "./reads.ts";
import {
  type ArrayValue,
  literal,
  literalsOf,
  membersOf,
  requestParts,
  union,
  unknown,
  type Value,
} from "./value.ts";

/** The functions of the language that the analysis knows. */
export const nativeNames = new Set(
  "Number parseInt parseFloat String Boolean Array Object Reflect JSON Promise Math Set Map URL URLSearchParams isNaN structuredClone Symbol undefined NaN Infinity globalThis Buffer TextDecoder console setTimeout setInterval setImmediate queueMicrotask process Error TypeError RangeError Date".split(
    " ",
  ),
);

/** Functions that call back when the request may long be over: what is thrown there reaches nobody. */
const callsLater = /^(setTimeout|setInterval|setImmediate|queueMicrotask|process\.nextTick)$/;

export function callNative(
  machine: Machine,
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
      return asNumber(first, "integer");
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
    case "Boolean":
      return first.kind === "read" ? first : unknown;
    case "JSON.parse":
      return parseJson(machine, first, site);
    case "stream/consumers.json":
      return first.kind === "request" ? parseJson(machine, { kind: "raw" }, site) : unknown;
    case "bind":
      return receiver?.kind === "function"
        ? { ...receiver, self: args[0]?.value ?? receiver.self }
        : (receiver ?? unknown);
    case "call":
      return machine.call(receiver ?? unknown, args.slice(1), site);
    case "Object.fromEntries":
      return first.kind === "search" ? { kind: "record" } : fromEntries(first);
    case "Object.keys":
      return keysOf(first);
    case "Object.values":
      return first.kind === "object" && !first.rest ? array([...first.properties.values()]) : unknown;
    case "Object.entries":
      return entriesOf(first);
    case "Object.assign":
      return assign(args.map(({ value }) => value));
    case "Array.from":
    case "Array.of":
      return name === "Array.of"
        ? array(args.map(({ value }) => value))
        : mapped(machine, first, args[1]?.value, site);
    case "Promise.all":
    case "Promise.race":
    case "Promise.any":
      return first.kind === "array" && name !== "Promise.all" ? union(first.items) : first;
    case "Promise.reject":
      if (first.kind === "error")
        site.frame.effects.throws.push({ error: first, place: machine.placeOf(site.node, site.env) });
      return unknown;
    default:
      if (receiver && name.startsWith("[]."))
        return callArray(machine, name.slice(3), receiver as ArrayValue, args, site);
      return callUnknown(machine, name, undefined, args, site);
  }
}

function parseJson(machine: Machine, value: Value, { node, env, frame }: Site): Value {
  const sent = membersOf(value).find(({ kind }) => kind === "body" || kind === "raw");
  if (sent?.kind === "body") {
    if (sent.body.form !== "bound") sent.body.form = "json";
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
    isCaught: false,
  };
  frame.effects.bodies.push(body);
  return { kind: "body", body, isText: false };
}

export const array = (items: Value[], isComplete = true): ArrayValue => ({
  kind: "array",
  items,
  isComplete,
});

function keysOf(value: Value): Value {
  if (value.kind !== "object" || value.rest) return unknown;
  return array([...value.properties.keys()].map(literal));
}

function entriesOf(value: Value): Value {
  if (value.kind !== "object" || value.rest) return value.kind === "search" ? value : unknown;
  return array([...value.properties].map(([name, each]) => array([literal(name), each])));
}

function fromEntries(value: Value): Value {
  if (value.kind !== "array" || !value.isComplete) return unknown;
  const properties = new Map<string, Value>();
  for (const item of value.items) {
    const name = item.kind === "array" ? literalsOf(item.items[0] ?? unknown) : undefined;
    if (item.kind !== "array" || name?.length !== 1) return unknown;
    properties.set(String(name[0]), item.items[1] ?? unknown);
  }
  return { kind: "object", properties, rest: undefined };
}

function assign([target, ...sources]: readonly Value[]): Value {
  if (target?.kind !== "object") return target ?? unknown;
  for (const source of sources) {
    if (source.kind === "object") {
      for (const [name, value] of source.properties) target.properties.set(name, value);
      target.rest ??= source.rest;
    } else target.rest = source;
  }
  return target;
}

/** The methods of an array whose items are known. */
export const arrayMethods = new Set(
  "includes some every map forEach flatMap filter find findLast reduce join concat slice at push unshift indexOf keys values entries has add toSorted sort reverse toReversed flat".split(
    " ",
  ),
);

function callArray(
  machine: Machine,
  name: string,
  receiver: ArrayValue,
  args: readonly Argument[],
  site: Site,
): Value {
  const first = args[0]?.value ?? unknown;
  switch (name) {
    case "includes":
    case "has":
    case "indexOf":
      return lookFor(receiver, first);
    case "map":
    case "flatMap":
      return mapped(machine, receiver, first, site);
    case "forEach":
    case "some":
    case "every":
    case "filter":
    case "find":
    case "findLast":
    case "reduce": {
      const item = receiver.isComplete && receiver.items.length > 0 ? union(receiver.items) : unknown;
      const given = name === "reduce" ? [args[1]?.value ?? unknown, item] : [item];
      machine.callLater(first, given, site, true);
      if (name === "filter") return array([...receiver.items], false);
      return name === "find" || name === "findLast" ? item : unknown;
    }
    case "push":
    case "unshift":
    case "add":
      receiver.items.push(...args.map(({ value }) => value));
      receiver.isComplete = false;
      return receiver;
    case "concat":
      return array(
        [...receiver.items, ...(first.kind === "array" ? first.items : [first])],
        first.kind === "array" && first.isComplete,
      );
    case "join": {
      const isRaw = receiver.items.some(({ kind }) => kind === "raw");
      return isRaw ? { kind: "raw" } : joined(receiver, first);
    }
    case "at":
      return union(receiver.items);
    default:
      return receiver;
  }
}

/** `ROLES.includes(q)` tells which values `q` may have. */
function lookFor(receiver: ArrayValue, wanted: Value): Value {
  const values = receiver.isComplete ? receiver.items.map((item) => literalsOf(item)) : [undefined];
  if (values.every((each) => each?.length === 1)) {
    const known = values.map((each) => each![0]);
    for (const read of readsIn(wanted)) markValues(read, known);
    const sought = literalsOf(wanted);
    if (sought?.length === 1) return literal(known.includes(sought[0]));
  }
  return wanted.kind === "read"
    ? { ...wanted, whenMissing: wanted.whenMissing === "other" ? "other" : "undefined" }
    : unknown;
}

function joined({ items, isComplete }: ArrayValue, separator: Value): Value {
  const values = items.map((item) => literalsOf(item));
  const by = literalsOf(separator)?.[0] ?? ",";
  return isComplete && values.every((each) => each?.length === 1)
    ? literal(values.map((each) => each![0]).join(String(by)))
    : unknown;
}

function mapped(machine: Machine, source: Value, callback: Value | undefined, site: Site): Value {
  if (callback === undefined) return source;
  if (source.kind !== "array" || !source.isComplete) {
    const item = machine.callLater(
      callback,
      [source.kind === "array" ? union(source.items) : unknown],
      site,
      true,
    );
    return array([item], false);
  }
  return array(
    source.items.map((item, index) => machine.callLater(callback, [item, literal(index)], site, true)),
  );
}

/** Functions that only look. */
const harmless = /^(console|Reflect|Object|JSON|Boolean|String|Symbol)\b/;

/**
 * A function whose source is not followed. Functions that it is given may be called by it; the request that it is
 * given goes out of sight.
 */
export function callUnknown(
  machine: Machine,
  name: string,
  receiver: Value | undefined,
  args: readonly Argument[],
  site: Site,
): Value {
  const given = [...(receiver ? [receiver] : []), ...args.map(({ value }) => value)];
  for (const { value } of args) {
    if (value.kind === "function")
      machine.callLater(value, receiver ? [itemOf(receiver)] : [], site, !callsLater.test(name));
  }
  const members = given
    .flatMap((value) => membersOf(value))
    .flatMap((value) => (value.kind === "array" ? [value, ...value.items] : [value]));
  if (members.some(({ kind }) => kind === "event") && !harmless.test(name)) {
    machine.report(
      {
        code: "EVENT_OUT_OF_SIGHT",
        message:
          "The event is given to a function whose source cannot be read, so what that function reads or answers is not in the document.",
      },
      site,
    );
  }
  if (members.some(({ kind }) => kind === "record" || kind === "search")) {
    const message =
      "All query parameters are given away together, so their names are not in the document; read them by name.";
    machine.report({ code: "PARAMETER_NAME_UNKNOWN", message }, site);
  }
  if (members.some(({ kind }) => kind === "raw" || kind === "request")) return { kind: "raw" };
  const body = members.find((member) => member.kind === "body");
  if (body?.isText) return body;
  if (body) validateBody(machine, body, site);
  for (const { read } of receiver ? readsIn(receiver) : []) if (textual.test(name)) read.isText = true;
  // Text that is trimmed or put in lower case is still what the client sent.
  const read = receiver ?? args[0]?.value;
  return read?.kind === "read" &&
    /\.(trim|toLowerCase|toUpperCase|toString|split|slice|replace|replaceAll|normalize)$/.test(name)
    ? read
    : unknown;
}

/** Methods for what is more than a number. */
const textual =
  /\.(startsWith|endsWith|includes|indexOf|slice|substring|split|match|matchAll|search|replace|replaceAll|charAt|at)$/;

const itemOf = (receiver: Value): Value =>
  requestParts.includes(receiver.kind)
    ? unknown
    : receiver.kind === "array"
      ? union(receiver.items)
      : receiver;

/** `Todo.parse(await e.bindBody())`: whatever the body is given to may be the validator that tells its type. */
function validateBody(machine: Machine, value: Extract<Value, { kind: "body" }>, { node, env }: Site): void {
  if (node.type !== "CallExpression" || value.isText) return;
  const { callee, arguments: given } = node;
  const candidates = [callee.type === "MemberExpression" ? callee.object : callee, ...given];
  for (const candidate of candidates) {
    if (
      candidate.type === "SpreadElement" ||
      candidate.type === "AwaitExpression" ||
      candidate.type === "Super"
    )
      continue;
    value.body.types.push({ kind: "input", place: machine.placeOf(candidate, env) });
  }
}
