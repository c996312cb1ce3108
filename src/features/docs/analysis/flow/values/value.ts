import type { ArrowFunctionExpression, Class, Function as FunctionNode } from "oxc-parser";
import type { Place, SourceFile } from "../../source/source-file.ts";
import type { Primitive } from "./primitive.ts";
import type { BodyRead, Bounds, GuardedInput, Origin, Read } from "./reads.ts";

/** The possible values of an expression, as far as the analysis follows them. */
export type Value =
  /** An unknown value. */
  | OpaqueValue
  | LiteralValue
  | { readonly kind: "union"; readonly values: readonly Value[] }
  | ObjectValue
  | ArrayValue
  | FunctionValue
  | ClassValue
  | InstanceValue
  | ModuleValue
  | { readonly kind: "native"; readonly name: string; readonly receiver?: Value | undefined }
  | { readonly kind: "annex"; readonly name: string }
  /**
   * A part of the request. `text` is the URL as a string, `record` the query as an object, `raw` the body's bytes or
   * text.
   */
  | { readonly kind: RequestPart }
  | { readonly kind: "method"; readonly of: RequestPart; readonly name: string }
  | ReadValue
  | CheckValue
  | { readonly kind: "regex"; readonly pattern: string; readonly flags: string }
  | { readonly kind: "body"; readonly body: BodyRead; readonly isText: boolean }
  | ErrorValue
  | { readonly kind: "sent" };

export type RequestPart =
  | "event"
  | "request"
  | "response"
  | "url"
  | "search"
  | "headers"
  | "text"
  | "record"
  | "raw"
  | "eventStream";

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
  "eventStream",
] satisfies RequestPart[];

export interface OpaqueValue {
  readonly kind: "opaque";
  /** The parameters that it was computed from, by a function that cannot be read. */
  readonly from?: readonly ReadValue[] | undefined;
  /** The bodies that it depends on. */
  readonly bodies?: readonly GuardedInput[] | undefined;
}

export interface LiteralValue {
  readonly kind: "literal";
  readonly value: Primitive;
  /** Whether it comes from a constant whose name looks like a credential, so that documents must not show it. */
  readonly isSecret?: boolean | undefined;
  /** Whether it is known from the route and therefore the same for every request. */
  readonly isOfRoute?: boolean | undefined;
}

/** Counts the functions followed so far, which shows whether an object was created inside a function. */
export const creationEpoch = { now: 0 };

/** A value that can be changed after its creation. */
export interface Mutable {
  /** The value of `births` when it was created. */
  readonly createdIn: number;
  /** Whether it belongs to a module, so that other requests may have changed it. */
  isShared: boolean;
  /** Where it was created, and the number of undecided conditions around that location. */
  readonly holder: Holder | undefined;
  readonly depth: number;
  /** Whether it was assigned to a name that looks like a credential. Its keys are secret, too. */
  isSecret?: boolean | undefined;
}

export interface ObjectValue extends Mutable {
  readonly kind: "object";
  readonly properties: Map<string, Value>;
  /** The source of properties that are not listed; `undefined` if there are none. */
  rest: Value | undefined;
}

export interface ArrayValue extends Mutable {
  readonly kind: "array";
  readonly items: Value[];
  /** False if it may contain more items. */
  isComplete: boolean;
}

/** The names in scope at a location in a file. */
export interface Env {
  readonly file: SourceFile;
  readonly parent: Env | undefined;
  /** Changes whenever something in the scope changes. */
  readonly stamp: string;
  /** When the scope of a name was created, as in `Mutable.born`. */
  bornOf(name: string): number | undefined;
  declare(name: string, value: Value | undefined, holder?: Holder, lazy?: () => Value): Binding;
  /** Replaces a value. */
  assign(name: string, value: Value): void;
  has(name: string): boolean;
  find(name: string): Binding | undefined;
  /** `undefined` if the name is not declared. */
  lookup(name: string): Value | undefined;
}

/** The surroundings of a location that decide whether it is reached. */
export interface Holder {
  readonly caller: Holder | undefined;
  conditions: number;
  uncertain: number;
}

export interface Binding {
  value: Value | undefined;
  /** Evaluates the value if it is used before its declaration. */
  readonly lazy: (() => Value) | undefined;
  /** Where it was declared, and the number of undecided conditions around that location. */
  readonly holder: Holder | undefined;
  readonly depth: number;
  /** The index of the function's argument that it holds, until something else is assigned. */
  argument?: number | undefined;
  /** Where its type is written. */
  typeAt?: Place | undefined;
  /** The parameters that it was computed from. */
  from?: readonly Read[] | undefined;
  /** The bodies that it depends on. */
  bodies?: readonly GuardedInput[] | undefined;
}

export interface FunctionValue {
  readonly kind: "function";
  readonly node: FunctionNode | ArrowFunctionExpression;
  readonly file: SourceFile;
  readonly env: Env;
  readonly self: Value | undefined;
  /** The class of the method, for `super`. */
  readonly home?: ClassValue | undefined;
  /** Whether reading the property calls it. */
  readonly isGetter?: boolean | undefined;
  /** Where it is declared, the outermost first. These places provide its name and comments. */
  readonly declared: readonly Declared[];
  /** The arguments that it was bound to. */
  readonly bound?: readonly Argument[] | undefined;
  /** The functions passed to the function that created this one. */
  readonly wraps?: readonly FunctionValue[] | undefined;
}

/** An argument of a call. */
export interface Argument {
  readonly value: Value;
  readonly origin: Origin;
  /** The bodies that it depends on. */
  readonly bodies?: readonly GuardedInput[] | undefined;
}

export interface Declared {
  readonly file: SourceFile;
  /** The start of the statement, method, property or function. */
  readonly start: number;
  readonly name: string | undefined;
}

export interface ClassValue {
  readonly kind: "class";
  readonly node: Class;
  readonly file: SourceFile;
  readonly env: Env;
  /** Whether its name looks like a credential, so that its static properties are secrets. */
  readonly isSecret?: boolean;
}

/** All exports of a module: `import * as secrets`. */
export interface ModuleValue {
  readonly kind: "module";
  readonly path: string;
  /** Whether its import name looks like a credential. */
  readonly isSecret?: boolean;
}

export interface InstanceValue extends Mutable {
  readonly kind: "instance";
  readonly of: ClassValue;
  readonly fields: Map<string, Value>;
  /** How many times a field has been set. */
  changes: number;
}

type Maker = Holder & { readonly isShared: boolean };

function createMutable(maker: Maker | undefined): Mutable {
  return {
    createdIn: creationEpoch.now,
    isShared: maker?.isShared ?? false,
    holder: maker,
    depth: maker ? maker.conditions + maker.uncertain : 0,
  };
}

export function createObject(
  maker?: Maker,
  properties = new Map<string, Value>(),
  rest?: Value,
): ObjectValue {
  return { ...createMutable(maker), kind: "object", properties, rest };
}

export function createArray(items: Value[], isComplete = true, maker?: Maker): ArrayValue {
  return { ...createMutable(maker), kind: "array", items, isComplete };
}

export function createInstance(of: ClassValue, maker: Maker): InstanceValue {
  return { ...createMutable(maker), kind: "instance", of, fields: new Map(), changes: 0 };
}

/** A value read from the request by name, or derived from one: `Number(q)` is the same read, as a number. */
export interface ReadValue {
  readonly kind: "read";
  readonly read: Read;
  /** The string as sent, a number converted from it, its length, or another derived value. */
  readonly form: "text" | "number" | "length" | "part";
  /** Whether surrounding white space has been removed. */
  readonly isTrimmed?: boolean | undefined;
  /** The value for a missing parameter, which decides the results of checks. */
  readonly whenMissing: "undefined" | "null" | "empty" | "NaN" | "zero" | "other";
}

/** Whether a read value is one of these: `ROLES.includes(q)`. */
export interface CheckValue {
  readonly kind: "check";
  readonly read: ReadValue;
  /** `undefined` if one of them is secret, or if they are not a list. */
  readonly values: readonly Primitive[] | undefined;
  /** The limits of the values, if they are not a list: `/^[a-z]+$/.test(q)`. */
  readonly bounds?: Bounds | undefined;
  /** Whether they include an empty string. Default false. */
  readonly acceptsEmpty?: boolean | undefined;
}

/** An error that becomes a response. */
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
/** The instance that a type names, or else the value itself. */
export const instanceOr = (instance: Value, value: Value): Value =>
  instance.kind === "opaque" ? value : instance;
export const undefinedValue = literal(undefined);

/** A literal derived from others. It is secret if one of them is. */
export function derived(value: Primitive, from: readonly Value[]): Value {
  return from.some(hasSecret) ? { kind: "literal", value, isSecret: true } : literal(value);
}

export function hasSecret(value: Value): boolean {
  return membersOf(value).some((member) => member.kind === "literal" && member.isSecret);
}

/** Whether it is known from the route. Cases that a check excludes can never occur there. */
export function isOfRoute(value: Value): boolean {
  return value.kind === "literal" && value.isOfRoute === true;
}

/** The maximum number of alternatives. Values with more are unknown. */
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

/** Its possible literals, or `undefined` if it may have other values. */
export function literalsOf(value: Value): Primitive[] | undefined {
  const members = membersOf(value);
  return members.every((member) => member.kind === "literal")
    ? members.map((member) => (member as { value: Primitive }).value)
    : undefined;
}

/** The same for documents: secrets are treated as unknown. */
export function shownLiteralsOf(value: Value): Primitive[] | undefined {
  return hasSecret(value) ? undefined : literalsOf(value);
}

/** Whether it is known to be truthy or falsy. */
export function truthOf(value: Value): boolean | undefined {
  const truths = new Set(membersOf(value).map(truthOfMember));
  return truths.size === 1 ? [...truths][0] : undefined;
}

function truthOfMember(value: Value): boolean | undefined {
  if (value.kind === "literal") return Boolean(value.value);
  const isOpen = ["opaque", "read", "body", "union", "check", "native"].includes(value.kind);
  return isOpen ? undefined : true;
}

/** Whether several callers can share it, because none of them can change it. */
export function isPlain(value: Value, depth = 0): boolean {
  const inner = (each: Value) => isPlain(each, depth + 1);
  if (value.kind === "instance" || depth > 6) return false;
  if (value.kind === "function") return value.env.parent === undefined;
  if (value.kind === "union") return value.values.every(inner);
  if (value.kind === "array") return value.items.every(inner);
  return value.kind !== "object" || [...value.properties.values()].every(inner);
}

/** An item of an array that others may have changed: names are treated as constants, other values are not. */
export function loosenItem(item: Value): Value {
  const isName =
    item.kind === "literal" && (typeof item.value === "string" || typeof item.value === "number");
  return isName ? item : union([item, unknown]);
}

/** A value that others may have changed: names and numbers are treated as constants, flags are not. */
export function widen(value: Value): Value {
  const isSwitch = (member: Value) =>
    member.kind === "literal" && typeof member.value !== "string" && typeof member.value !== "number";
  return membersOf(value).some(isSwitch) ? unknown : value;
}

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
