import type { InexactReason, ProblemCode } from "../problems.ts";
import type { RawSchema } from "../query.ts";
import type { Shape } from "../shape.ts";
import { isOfNode } from "../source-text.ts";

/** The result of JSON.stringify for an object of the language or of Node. */
export interface Builtin {
  readonly schema: RawSchema;
  readonly problem?: ProblemCode;
  /** Why a value that matches the schema may not be of the type. */
  readonly isInexact?: InexactReason;
}

const emptied: Builtin = { schema: { type: "object" }, problem: "TYPE_NOT_JSON" };
const throwing: Builtin = { schema: {}, problem: "TYPE_IS_BIGINT" };
const byIndex: Builtin = {
  schema: { type: "object", additionalProperties: { type: "number" } },
  problem: "TYPE_NOT_JSON",
};
const buffer: Builtin = {
  schema: {
    type: "object",
    properties: {
      type: { type: "string", enum: ["Buffer"] },
      data: { type: "array", items: { type: "integer", minimum: 0, maximum: 255 } },
    },
    required: ["type", "data"],
  },
  problem: "TYPE_NOT_JSON",
};

const builtins: Readonly<Record<string, Builtin>> = {
  Date: { schema: { type: "string", format: "date-time" }, isInexact: "instance" },
  URL: { schema: { type: "string", format: "uri" }, isInexact: "instance" },
  String: { schema: { type: "string" } },
  Number: { schema: { type: "number" } },
  Boolean: { schema: { type: "boolean" } },
  Object: { schema: {}, isInexact: "anything" },
  BigInt: throwing,
  BigInt64Array: throwing,
  BigUint64Array: throwing,
  Buffer: buffer,
  ...of(emptied, "RegExp Map Set ReadonlyMap ReadonlySet WeakMap WeakSet WeakRef Promise PromiseLike"),
  ...of(emptied, "ArrayBuffer SharedArrayBuffer DataView URLSearchParams Headers FormData Blob"),
  ...of(emptied, "Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError"),
  ...of(byIndex, "Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array"),
  ...of(byIndex, "Float16Array Float32Array Float64Array"),
};

function of(builtin: Builtin, names: string): Record<string, Builtin> {
  return Object.fromEntries(names.split(" ").map((name) => [name, builtin]));
}

/** A file of a multipart body, as Annex passes it to a handler. */
const uploadedFile: Builtin = { schema: { type: "string", format: "binary" } };
const uploadedFileAt = /[\\/]http[\\/]body[\\/]multipart(\.d)?\.ts$/;

/** A type with the same name that the project declares is not built in. */
export function findBuiltin(shape: Shape): Builtin | undefined {
  if (shape.kind !== "object" || !shape.name || !isDeclared(shape.made)) return undefined;
  const { declaration, name } = shape.name;
  if (name === "UploadedFile" && uploadedFileAt.test(declaration.file)) return uploadedFile;
  const isBrought = declaration.origin === "library" || isOfNode(declaration.file);
  return isBrought && Object.hasOwn(builtins, name) ? builtins[name] : undefined;
}

/** An interface or class of the compiler's libraries. Its members describe behaviour, not data. */
export function isOfLibrary(shape: Shape): boolean {
  return shape.kind === "object" && isDeclared(shape.made) && shape.name?.declaration.origin === "library";
}

/** The `Function` type itself, which has no call signature. */
export function isFunction(shape: Shape): boolean {
  return shape.name?.name === "Function" && isOfLibrary(shape);
}

const isDeclared = (made: string) => made === "class" || made === "interface";

/** The return type of Node's `randomUUID`: a template of five strings. The compiler does not preserve its name. */
export function isNodesUuid(shape: Shape): boolean {
  return shape.kind === "template" && shape.texts.join("|") === "|-|-|-|-|";
}
