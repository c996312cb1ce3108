import type { Expression, Node } from "oxc-parser";
import type { Argument, InterpreterContext, Site } from "../interpreter-context.ts";
import { bodiesBehind, opaqueOf, withBodies } from "../request/body-uses.ts";
import { originOf } from "../request/origins.ts";
import { membersOf, shownLiteralsOf, union } from "../values/alternatives.ts";
import { wordsOfPattern } from "../values/bounds.ts";
import type { QueryRead } from "../values/effects.ts";
import { markText, readsIn } from "../values/read-uses.ts";
import { concealNamed } from "../values/secrets.ts";
import { requestParts, unknown, type Value } from "../values/value.ts";
import { throwValue } from "./throwing.ts";

/**
 * Functions that call back later, possibly after the request has ended. Errors thrown there do not reach the client.
 */
const callsLater = /^(setTimeout|setInterval|setImmediate|queueMicrotask|process\.nextTick)$/;

/** Methods of validators that throw. Others return the issues. */
const throwsIfInvalid = /^\.(parse|parseAsync|assert)$/;

/** Methods that take a name and its value. */
const takesName = /^\.(set|append|header|setHeader|setItem)$/;

/** Functions that only read their arguments. */
const harmless = /^(console|Reflect|Object|JSON|Boolean|String|Symbol)\b/;

/**
 * Calls a function whose source is not followed. It may call functions passed to it. If the request is passed to it,
 * its use is unknown.
 */
export function callUnknown(
  machine: InterpreterContext,
  name: string,
  receiver: Value | undefined,
  args: readonly Argument[],
  site: Site,
): Value {
  const matched = name === ".match" && receiver && matchPattern(args[0]?.value ?? unknown, receiver);
  if (matched) return matched;
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
          "The event is passed to a function whose source cannot be read, so the document does not include what that function reads or sends. Read the values that it needs in your own function.",
      },
      site,
    );
  }
  const query = members.some(({ kind }) => kind === "record" || kind === "search")
    ? noteQuery(machine, name, site)
    : undefined;
  if (members.some(({ kind }) => kind === "raw" || kind === "request")) return { kind: "raw" };
  const body = members.find((member) => member.kind === "body");
  if (body?.isText) return body;
  if (body) validateBody(machine, body, site);
  for (const { read } of receiver ? readsIn(receiver) : []) {
    if (!textual.test(name)) continue;
    read.isText = true;
    const texts = args.flatMap(({ value }) => shownLiteralsOf(value) ?? []);
    read.mentions.push(...texts.filter((text) => typeof text === "string"));
  }
  if (takesName.test(name)) concealNamed(args[0]?.value, args[1]?.value);
  if (!looksOnly.test(name)) for (const { value } of args) giveAway(value);
  // A trimmed string is still what the client sent. A string in another case is a derived value.
  if (receiver?.kind === "read" && name === ".toString") return receiver;
  if (receiver?.kind === "read" && /^\.trim(Start|End)?$/.test(name)) return { ...receiver, isTrimmed: true };
  if (receiver?.kind === "read" && /^\.(toLowerCase|toUpperCase|normalize)$/.test(name))
    return { ...receiver, form: "part" };
  // `executeTakeFirstOrThrow(() => e.error(404))`
  if (/OrThrow$/.test(name))
    for (const { value } of args)
      if (value.kind === "function")
        throwValue(machine, site.node, machine.call(value, [], site), site.env, site.frame);
  // A missing parameter contains nothing.
  if (receiver?.kind === "read" && /^\.(startsWith|endsWith|includes)$/.test(name))
    return { kind: "check", read: receiver, values: undefined };
  // `q?.slice(1)` is undefined if the parameter was not sent.
  const { node } = site;
  const isOptional =
    node.type === "CallExpression" && node.callee.type === "MemberExpression" && node.callee.optional;
  if (receiver?.kind === "read" && isOptional && receiver.whenMissing !== "other")
    return { ...receiver, form: "part", whenMissing: "undefined" };
  const computed = computedFrom(receiver ? [...args, { value: receiver }] : args, unknown);
  return query ? withBodies(computed, [query]) : computed;
}

/** All query parameters are passed to a function that may validate them. */
function noteQuery(machine: InterpreterContext, name: string, { node, env, frame }: Site): QueryRead {
  const query: QueryRead = {
    in: "query",
    place: machine.placeOf(node, env),
    candidates: validatorsIn(node).map((each) => originOf(machine, each, env, frame)),
    refuses: throwsIfInvalid.test(name) ? "if validator" : "never",
    isRequired: frame.conditions === 0,
    isServedWithout: false,
    isCaught: false,
    guardsAccess: false,
  };
  frame.effects.queries.push(query);
  return query;
}

/** `/^[a-z]+$/.test(q)`. Documents do not support flags. */
export function matchPattern(regex: Value, text: Value): Value | undefined {
  if (regex.kind !== "regex" || text.kind !== "read" || text.form !== "text" || text.isTrimmed)
    return undefined;
  if (/[^uv]/.test(regex.flags)) return undefined;
  const words = wordsOfPattern(regex.pattern);
  return {
    kind: "check",
    read: text,
    values: words,
    bounds: words ? undefined : { pattern: regex.pattern },
    acceptsEmpty: acceptsEmpty(regex.pattern),
  };
}

function acceptsEmpty(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").test("");
  } catch {
    return true;
  }
}

/** Records which parameters and bodies an unknown value was computed from. */
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

/** The called function may use a string as text, and may change an object. */
function giveAway(value: Value): void {
  markText(value);
  if (value.kind === "array") value.isComplete = false;
  if (value.kind === "object") value.rest ??= unknown;
  if (value.kind === "object" || value.kind === "instance" || value.kind === "array") value.isShared = true;
}

/** Methods of strings. Their receiver is not just a number. */
const textual =
  /\.(startsWith|endsWith|includes|indexOf|slice|substring|split|match|matchAll|search|replace|replaceAll|charAt|at)$/;

const itemOf = (receiver: Value): Value =>
  requestParts.includes(receiver.kind)
    ? unknown
    : receiver.kind === "array"
      ? union(receiver.items)
      : receiver;

/** `Todo.parse(await e.bindBody())`: the function that receives the body may be the validator that defines its type. */
function validateBody(
  machine: InterpreterContext,
  value: Extract<Value, { kind: "body" }>,
  { node, env, frame }: Site,
): void {
  if (value.isText) return;
  for (const candidate of validatorsIn(node)) {
    const { places, argument } = originOf(machine, candidate, env, frame);
    value.body.types.push({ kind: "input", place: places[0]!, argument });
  }
}

/** The possible validators in a call: the object of the method, or an argument. */
function validatorsIn(node: Node): Expression[] {
  if (node.type !== "CallExpression") return [];
  const { callee, arguments: given } = node;
  return [callee.type === "MemberExpression" ? callee.object : callee, ...given].filter(
    (each): each is Expression =>
      each.type !== "SpreadElement" && each.type !== "AwaitExpression" && each.type !== "Super",
  );
}
