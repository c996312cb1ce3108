import type { ArrowFunctionExpression, Class, Function as FunctionNode } from "oxc-parser";
import type { Place, SourceFile } from "../source/source-file.ts";
import type { Primitive } from "./primitive.ts";
import type { BodyRead, Read } from "./reads.ts";

/** What an expression may hold, as far as the analysis follows it. */
export type Value =
  /** Nothing is known of it. */
  | { readonly kind: "opaque" }
  | { readonly kind: "literal"; readonly value: Primitive }
  | { readonly kind: "union"; readonly values: readonly Value[] }
  | ObjectValue
  | ArrayValue
  | FunctionValue
  | ClassValue
  | InstanceValue
  | { readonly kind: "module"; readonly path: string }
  | { readonly kind: "native"; readonly name: string; readonly receiver?: Value | undefined }
  | { readonly kind: "annex"; readonly name: string }
  /** A part of the request. `text` is an address as text; `record` the query as an object; `raw` the body's bytes or text. */
  | { readonly kind: RequestPart }
  | { readonly kind: "method"; readonly of: RequestPart; readonly name: string }
  | ReadValue
  | { readonly kind: "body"; readonly body: BodyRead; readonly isText: boolean }
  | ErrorValue
  | { readonly kind: "answer" };

export type RequestPart =
  | "event"
  | "request"
  | "response"
  | "url"
  | "search"
  | "headers"
  | "text"
  | "record"
  | "raw";

export const requestParts: readonly string[] = [
  "event",
  "request",
  "response",
  "url",
  "search",
  "headers",
  "text",
  "record",
  "raw",
] satisfies RequestPart[];

export interface ObjectValue {
  readonly kind: "object";
  readonly properties: Map<string, Value>;
  /** What properties that are not listed come from; `undefined` when there are none. */
  rest: Value | undefined;
}

export interface ArrayValue {
  readonly kind: "array";
  readonly items: Value[];
  /** False when it may hold more. */
  isComplete: boolean;
}

/** The names that are visible somewhere in a file. */
export interface Env {
  readonly file: SourceFile;
  readonly parent: Env | undefined;
  /** Tells one instance of a scope from another; all functions of a module share theirs. */
  readonly key: number;
  declare(name: string, value: Value | undefined, depth?: number, lazy?: () => Value): Binding;
  has(name: string): boolean;
  find(name: string): Binding | undefined;
  /** `undefined` when nothing of that name is declared. */
  lookup(name: string): Value | undefined;
}

export interface Binding {
  value: Value | undefined;
  /** Finds the value when it is asked for before its declaration has been reached. */
  readonly lazy: (() => Value) | undefined;
  /** How many undecided conditions stood around the declaration. */
  readonly depth: number;
  /** Which argument of the function it holds, while nothing else has been assigned to it. */
  argument?: number | undefined;
}

export interface FunctionValue {
  readonly kind: "function";
  readonly node: FunctionNode | ArrowFunctionExpression;
  readonly file: SourceFile;
  readonly env: Env;
  readonly self: Value | undefined;
  /** Where it is declared, the outermost first: comments stand there, and it has its name from there. */
  readonly declared: readonly Declared[];
  /** The functions that were given to the function that made this one. */
  readonly wraps?: readonly FunctionValue[] | undefined;
}

export interface Declared {
  readonly file: SourceFile;
  /** Where the statement, method, property or function begins. */
  readonly start: number;
  readonly name: string | undefined;
}

export interface ClassValue {
  readonly kind: "class";
  readonly node: Class;
  readonly file: SourceFile;
  readonly env: Env;
}

export interface InstanceValue {
  readonly kind: "instance";
  readonly of: ClassValue;
  readonly fields: Map<string, Value>;
}

/** What was read from the request by name, or made of it: `Number(q)` is the same read, as a number. */
export interface ReadValue {
  readonly kind: "read";
  readonly read: Read;
  /** What the value is when the client sends nothing, so that checks can be judged. */
  readonly whenMissing: "undefined" | "null" | "NaN" | "zero" | "other";
}

/** An error that becomes an answer. */
export interface ErrorValue {
  readonly kind: "error";
  readonly status: Value;
  readonly message: string | undefined;
  /** The classes it is an instance of. */
  readonly classes: readonly ClassValue[];
  readonly made: Place;
}

export const unknown: Value = { kind: "opaque" };
export const literal = (value: Primitive): Value => ({ kind: "literal", value });
export const undefinedValue = literal(undefined);

/** At most this many values are told apart; beyond them nothing is known. */
const maxMembers = 64;

export function union(values: readonly Value[]): Value {
  const members: Value[] = [];
  const seen = new Set<string>();
  for (const value of values.flatMap((each) => (each.kind === "union" ? each.values : [each]))) {
    const key = keyOf(value);
    if (seen.has(key)) continue;
    seen.add(key);
    members.push(value);
  }
  if (members.length === 0) return unknown;
  if (members.length > maxMembers) return unknown;
  return members.length === 1 ? members[0]! : { kind: "union", values: members };
}

export function membersOf(value: Value): readonly Value[] {
  return value.kind === "union" ? value.values : [value];
}

/** Its possible literals, or `undefined` when it may be something else. */
export function literalsOf(value: Value): Primitive[] | undefined {
  const members = membersOf(value);
  return members.every((member) => member.kind === "literal")
    ? members.map((member) => (member as { value: Primitive }).value)
    : undefined;
}

/** Whether it is known to be true or false, in JavaScript's sense. */
export function truthOf(value: Value): boolean | undefined {
  const truths = new Set(membersOf(value).map(truthOfMember));
  return truths.size === 1 ? [...truths][0] : undefined;
}

function truthOfMember(value: Value): boolean | undefined {
  if (value.kind === "literal") return Boolean(value.value);
  return value.kind === "opaque" || value.kind === "read" || value.kind === "body" || value.kind === "union"
    ? undefined
    : true;
}

let identities = 0;
const identified = new WeakMap<object, number>();

function identityOf(thing: object): number {
  const known = identified.get(thing);
  if (known !== undefined) return known;
  identified.set(thing, ++identities);
  return identities;
}

/** Equal for values of which the analysis would find out the same. */
export function keyOf(value: Value, depth = 0): string {
  switch (value.kind) {
    case "literal":
      return `${typeof value.value}:${String(value.value)}`;
    case "opaque":
      return "?";
    case "union":
      return `(${value.values.map((member) => keyOf(member, depth + 1)).join("|")})`;
    case "object":
      if (depth > 4) return `o${identityOf(value)}`;
      return `{${[...value.properties].map(([name, each]) => `${name}=${keyOf(each, depth + 1)}`).join()}${value.rest ? "…" : ""}}`;
    case "array":
      if (depth > 4) return `a${identityOf(value)}`;
      return `[${value.items.map((each) => keyOf(each, depth + 1)).join()}${value.isComplete ? "" : "…"}]`;
    case "function":
      return `f${value.file.path}:${value.node.start}:${value.env.key}:${value.self ? keyOf(value.self, depth + 1) : ""}`;
    case "class":
      return `c${value.file.path}:${value.node.start}`;
    case "instance":
      return `i${identityOf(value)}`;
    case "module":
      return `m${value.path}`;
    case "native":
      return `n${value.name}${value.receiver ? identityOf(value.receiver) : ""}`;
    case "annex":
      return `x${value.name}`;
    case "method":
      return `${value.of}.${value.name}`;
    case "read":
      return `r${identityOf(value.read)}${value.whenMissing}`;
    case "body":
      return `b${identityOf(value.body)}${value.isText}`;
    case "error":
      return `e${value.made.file}:${value.made.start}`;
    default:
      return value.kind;
  }
}
