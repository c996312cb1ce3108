import { bodiesBehind, opaqueOf } from "./body-uses.ts";
import type { Argument, Machine, Site } from "./machine.ts";
import { markText, readsIn } from "./read-uses.ts";
import { membersOf, requestParts, union, unknown, type Value } from "./value.ts";

/** Functions that call back when the request may long be over: what is thrown there reaches nobody. */
const callsLater = /^(setTimeout|setInterval|setImmediate|queueMicrotask|process\.nextTick)$/;

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
  if (!looksOnly.test(name)) for (const { value } of args) giveAway(value);
  // Text that is trimmed is still what the client sent; in another case it is something made of it.
  if (receiver?.kind === "read" && /^\.(trim|toString)$/.test(name)) return receiver;
  if (receiver?.kind === "read" && /^\.(toLowerCase|toUpperCase|normalize)$/.test(name))
    return { ...receiver, form: "part" };
  return computedFrom(receiver ? [...args, { value: receiver }] : args, unknown);
}

/** Remembers, for a value of which nothing else is known, which parameters and bodies it was computed from. */
export function computedFrom(args: readonly Pick<Argument, "value" | "bodies">[], value: Value): Value {
  if (value.kind !== "opaque" || value.from || value.bodies) return value;
  const bodies = args.flatMap(({ value: given, bodies: known }) => known ?? bodiesBehind(given));
  const from = args.flatMap(({ value: given }) =>
    given.kind === "opaque" ? (given.from ?? []) : readsIn(given),
  );
  if (from.length === 0) return opaqueOf(bodies);
  return { kind: "opaque", from, ...(bodies.length > 0 && { bodies: [...new Set(bodies)] }) };
}

const looksOnly = /^(console\b|\.(test|log|debug|info|warn|error)$)/;

/** Whoever gets a text may take it as text, and whoever gets an object may change it. */
function giveAway(value: Value): void {
  markText(value);
  if (value.kind === "array") value.isComplete = false;
  if (value.kind === "object") value.rest ??= unknown;
  if (value.kind === "object" || value.kind === "instance" || value.kind === "array") value.isShared = true;
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
