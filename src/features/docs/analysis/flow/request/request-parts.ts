import type { Expression, Node } from "oxc-parser";
import type { Place } from "../../source/source-file.ts";
import type { Argument, InterpreterContext, Site } from "../interpreter-context.ts";
import { literalsOf, shownLiteralsOf, union } from "../values/alternatives.ts";
import { findBuilt } from "../values/built-data.ts";
import { type QueryRead, type ResponseMade, thrownBehind } from "../values/effects.ts";
import { markText } from "../values/read-uses.ts";
import { type BodyRead, createRead, type Read } from "../values/reads.ts";
import { concealNamed } from "../values/secrets.ts";
import { type Env, literal, type ReadValue, type RequestPart, unknown, type Value } from "../values/value.ts";
import { guardStatus, opaqueOf } from "./body-uses.ts";
import { createError } from "./error-values.ts";

/** The properties of the request event, its URL and its raw request. */
export function partProperty(machine: InterpreterContext, of: RequestPart, name: string, site: Site): Value {
  switch (of) {
    case "event":
      if (name === "url" || name === "request" || name === "response") return { kind: name };
      if (name === "method") return methodOf(machine);
      return eventMethods.has(name) ? { kind: "method", of, name } : unknown;
    case "url":
      if (name === "searchParams") return { kind: "search" };
      return name === "search" || name === "href" ? { kind: "text" } : unknown;
    case "request":
      if (name === "headers") return { kind: "headers" };
      if (name === "method") return methodOf(machine);
      return name === "url" ? { kind: "text" } : { kind: "method", of, name };
    case "headers":
      return readRawHeader(machine, name, site);
    case "record":
      return read(machine, { in: "query", name, whenMissing: "undefined" }, site);
    case "eventStream":
      if (name !== "lastEventId") return unknown;
      return read(machine, { in: "header", name: "Last-Event-ID", whenMissing: "undefined" }, site);
    case "text":
      return /^\d+$/.test(name) ? { kind: "text" } : { kind: "method", of, name };
    case "search":
    case "response":
    case "raw":
      return { kind: "method", of, name };
    default:
      return unknown;
  }
}

/** Node writes the names of headers in lower case. */
function readRawHeader(machine: InterpreterContext, name: string, site: Site): Value {
  if (name === name.toLowerCase())
    return read(machine, { in: "header", name, whenMissing: "undefined" }, site);
  const message = `Node writes the names of headers in lower case, so headers["${name}"] is always undefined. Write e.header("${name}") or headers["${name.toLowerCase()}"].`;
  machine.report({ code: "HEADER_NAME_NOT_LOWER_CASE", message }, site);
  return { kind: "literal", value: undefined };
}

function methodOf(machine: InterpreterContext): Value {
  machine.useMethod();
  return machine.method === undefined ? unknown : { kind: "literal", value: machine.method, isOfRoute: true };
}

const eventMethods = new Set([
  ..."query queryAll header cookie pathValue bindQuery bindPath bindBody readText readBytes".split(" "),
  ..."json text html bytes noContent redirect stream sse error next".split(" "),
  ..."setHeader setCookie clearCookie".split(" "),
]);

export function callPart(
  machine: InterpreterContext,
  of: RequestPart,
  name: string,
  args: readonly Argument[],
  site: Site,
): Value {
  switch (of) {
    case "event":
      return callEvent(machine, name, args, site);
    case "search":
      return callSearch(machine, name, args, site);
    case "text":
      return { kind: "text" };
    case "raw":
      return { kind: "raw" };
    case "request":
      return name === "on" || name === "pipe" || name === "setEncoding" ? unknown : { kind: "raw" };
    case "response":
      return callResponse(machine, name, args, site);
    default:
      return unknown;
  }
}

function callEvent(machine: InterpreterContext, name: string, args: readonly Argument[], site: Site): Value {
  const { frame } = site;
  const named = (place: Read["in"], isList = false) =>
    readEach(
      machine,
      { in: place, isList, whenMissing: isList || place === "path" ? "other" : "undefined" },
      args,
      site,
    );
  switch (name) {
    case "query":
      return named("query");
    case "queryAll":
      return named("query", true);
    case "header":
      return named("header");
    case "cookie":
      return named("cookie");
    case "pathValue":
      return named("path");
    case "bindQuery":
    case "bindPath":
      return bindParameters(machine, name === "bindQuery" ? "query" : "path", args, site);
    case "bindBody":
    case "readText":
    case "readBytes":
      return readBody(machine, name, args, site);
    case "next":
      frame.effects.passesOn = true;
      frame.effects.throws.push({ error: thrownBehind, place: machine.placeOf(site.node, site.env) });
      return unknown;
    case "error":
      return createError(machine, args, site);
    case "setHeader":
      setHeader(args, site);
      return unknown;
    case "setCookie":
    case "clearCookie":
      concealNamed(args[0]?.value, args[1]?.value);
      frame.effects.headers.push("Set-Cookie");
      return unknown;
    default:
      return recordResponse(machine, name, args, site);
  }
}

function setHeader([name, value]: readonly Argument[], { frame }: Site): void {
  concealNamed(name?.value, value?.value);
  const names = (name && shownLiteralsOf(name.value)) ?? [];
  frame.effects.headers.push(...names.filter((each) => typeof each === "string"));
}

interface Wanted {
  readonly in: Read["in"];
  readonly name: string;
  readonly isList?: boolean;
  readonly whenMissing: ReadValue["whenMissing"];
}

function read(
  machine: InterpreterContext,
  { whenMissing, ...wanted }: Wanted,
  { node, env, frame }: Site,
): Value {
  const found = createRead({ ...wanted, place: machine.placeOf(node, env), depth: frame.conditions });
  frame.effects.reads.push(found);
  return { kind: "read", read: found, form: "text", whenMissing };
}

/** If the name may be one of several, each of them may be read. */
function readEach(
  machine: InterpreterContext,
  wanted: Omit<Wanted, "name">,
  [first]: readonly Argument[],
  site: Site,
): Value {
  const names = first && literalsOf(first.value)?.filter((name) => typeof name === "string");
  if (!names || names.length === 0) {
    const what = { query: "query parameter", header: "header", path: "path value", cookie: "cookie" }[
      wanted.in
    ];
    machine.report(
      {
        code: "PARAMETER_NAME_UNKNOWN",
        message: `The name of this ${what} is built at run time, so it is not in the document. Use a string literal, a constant, or an \`as const\` list.`,
      },
      site,
    );
    return unknown;
  }
  return union(names.map((name) => read(machine, { ...wanted, name }, site)));
}

function callSearch(machine: InterpreterContext, name: string, args: readonly Argument[], site: Site): Value {
  if (name === "get") return readEach(machine, { in: "query", whenMissing: "null" }, args, site);
  if (name === "has") return readEach(machine, { in: "query", whenMissing: "undefined" }, args, site);
  if (name === "getAll")
    return readEach(machine, { in: "query", isList: true, whenMissing: "other" }, args, site);
  if (name === "entries") return { kind: "search" };
  return name === "toString" ? { kind: "text" } : unknown;
}

/** `e.bindQuery(Page)`: the validator describes all parameters of the query or of the path. */
function bindParameters(
  machine: InterpreterContext,
  place: "query" | "path",
  [schema]: readonly Argument[],
  { node, env, frame }: Site,
): Value {
  const query: QueryRead = {
    in: place,
    place: machine.placeOf(node, env),
    candidates: schema ? [schema.origin] : [],
    refuses: "always",
    isRequired: frame.conditions === 0,
    isServedWithout: false,
    isCaught: false,
    guardsAccess: false,
  };
  frame.effects.queries.push(query);
  return opaqueOf([query]);
}

function readBody(
  machine: InterpreterContext,
  name: "bindBody" | "readText" | "readBytes",
  [first]: readonly Argument[],
  site: Site,
): Value {
  const { node, env, frame } = site;
  const place = machine.placeOf(node, env);
  const typeArguments = node.type === "CallExpression" ? node.typeArguments : null;
  const named = typeArguments?.params[0];
  const body: BodyRead = {
    place,
    by: name,
    form: name === "bindBody" ? "bound" : name === "readText" ? "text" : "bytes",
    named: named && machine.placeOf(named, env),
    types: [],
    schema: name === "bindBody" ? first?.origin : undefined,
    isRequired: frame.conditions === 0,
    isServedWithout: false,
    isCaught: false,
    guardsAccess: false,
  };
  frame.effects.bodies.push(body);
  return { kind: "body", body, isText: name !== "bindBody" };
}

const forms: Record<string, ResponseMade["form"]> = {
  json: "json",
  text: "text",
  html: "html",
  bytes: "bytes",
  stream: "stream",
  sse: "events",
  redirect: "redirect",
  noContent: "none",
};

/** Methods without a status argument. */
const fixedStatuses: Readonly<Record<string, number>> = { noContent: 204, sse: 200 };

function recordResponse(
  machine: InterpreterContext,
  name: string,
  args: readonly Argument[],
  { node, env, frame }: Site,
): Value {
  const form = forms[name]!;
  const fixed = fixedStatuses[name];
  if (args[1]) markText(args[1].value);
  if (fixed === undefined) guardStatus(args[0], frame);
  frame.effects.responses.push({
    place: machine.placeOf(node, env),
    form,
    status: fixed === undefined ? (args[0]?.value ?? unknown) : literal(fixed),
    statusAt: fixed === undefined ? args[0]?.origin : undefined,
    data: form === "json" ? args[1]?.origin : undefined,
    ...(form === "json" && dataParts(machine, node, env)),
    headers: [...frame.effects.headers],
    ...((form === "bytes" || form === "stream") && { type: args[1]?.value, typeAt: args[1]?.origin }),
    calls: [],
  });
  // The response has been sent, so an error of the function that produces the events is not a response.
  if (form === "events" && args[0])
    machine.callLater(args[0].value, [{ kind: "eventStream" }], { node, env, frame }, false);
  return { kind: "sent" };
}

/** Information about the data of `e.json(200, data)` that its type may not contain. */
function dataParts(
  machine: InterpreterContext,
  node: Node,
  env: Env,
): Pick<ResponseMade, "choices" | "built"> {
  const data = node.type === "CallExpression" ? node.arguments[1] : undefined;
  if (node.type !== "CallExpression" || !data) return {};
  return { choices: choicesOf(machine, data, env), built: findBuilt(env.file, node, data) };
}

/** The branches of `cond ? a : b`. */
function choicesOf(machine: InterpreterContext, data: Node, env: Env): Place[] | undefined {
  if (data.type !== "ConditionalExpression") return undefined;
  const leaves = (each: Expression): Expression[] =>
    each.type === "ConditionalExpression" ? [...leaves(each.consequent), ...leaves(each.alternate)] : [each];
  return leaves(data).map((leaf) => machine.placeOf(leaf, env));
}

/** Node's own response: its status may be visible, its body is unknown. */
function callResponse(
  machine: InterpreterContext,
  name: string,
  args: readonly Argument[],
  site: Site,
): Value {
  if (name === "setHeader" || name === "appendHeader") setHeader(args, site);
  if (name !== "writeHead" && name !== "end" && name !== "write") return unknown;
  if (name === "writeHead") respondUnknown(machine, args[0]?.value ?? unknown, args[0], site);
  return { kind: "response" };
}

export function respondUnknown(
  machine: InterpreterContext,
  status: Value,
  from: Argument | undefined,
  site: Site,
): void {
  const { node, env, frame } = site;
  guardStatus(from, frame);
  frame.effects.responses.push({
    place: machine.placeOf(node, env),
    form: "open",
    status,
    statusAt: from?.origin,
    headers: [...frame.effects.headers],
    calls: [],
  });
  machine.report(
    {
      code: "RESPONSE_BODY_UNKNOWN",
      message:
        "The handler responds through Node's own response object, so the body is not in the document. Respond with a method such as e.json or e.text.",
    },
    site,
  );
}
