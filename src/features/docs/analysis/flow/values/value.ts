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
  /** The value of `creationEpoch` when it was created. */
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
  /** When the scope of a name was created, as in `Mutable.createdIn`. */
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
