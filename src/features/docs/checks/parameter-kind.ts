import type { Schema } from "../model/openapi.ts";
import type { SchemaLookup } from "../openapi/expected-body.ts";

/** How the text of a parameter is read for its check. */
export interface ParameterKind {
  readonly type: "string" | "number" | "integer" | "boolean";
  /** Whether all values of the name are read. */
  readonly isList: boolean;
}

/** The kind of parameter that a schema describes; `undefined` if a text can be read in several ways. */
export function kindOf(schema: Schema, lookup: SchemaLookup): ParameterKind | undefined {
  const { type, items } = resolve(schema, lookup);
  const isList = type === "array";
  const single = isList ? resolve((items ?? {}) as Schema, lookup).type : type;
  return isSingle(single) ? { type: single, isList } : undefined;
}

function resolve(schema: Schema, lookup: SchemaLookup): Record<string, unknown> {
  return (("$ref" in schema ? lookup(schema.$ref as string) : schema) ?? {}) as Record<string, unknown>;
}

const isSingle = (type: unknown): type is ParameterKind["type"] =>
  type === "string" || type === "number" || type === "integer" || type === "boolean";

/** Integers and numbers as JSON writes them. Other spellings, such as `0x10` or ` 7`, are read in different ways. */
const integerPattern = /^-?(0|[1-9]\d*)$/;
const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The value to check. A text that is not of the type remains a text, which the validator refuses. */
export function readText(text: string, type: ParameterKind["type"]): unknown {
  switch (type) {
    case "integer":
      return integerPattern.test(text) ? Number(text) : text;
    case "number":
      return numberPattern.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || (text === "false" ? false : text);
    default:
      return text;
  }
}
