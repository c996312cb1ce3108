import type { Schema } from "../../../../src/features/docs/wire.ts";
import { type OpenApi, resolveSchema } from "../openapi/document.ts";

interface MergedParts {
  /** What all parts require together. */
  readonly merged: Schema;
  /** Parts that are a choice, which cannot be merged. */
  readonly unions: readonly Schema[];
}

/** Merges the parts of `allOf` into one schema. */
export function mergeParts(document: OpenApi, schema: Schema): MergedParts {
  const { allOf = [], ...own } = schema;
  const all: Schema[] = [own, ...allOf.map((part) => resolveSchema(document, part))];
  const parts = all.flatMap((part) => {
    if (!part.allOf) return part;
    const inner = mergeParts(document, part);
    return [inner.merged, ...inner.unions];
  });
  const isUnion = ({ oneOf, anyOf }: Schema) => Boolean(oneOf ?? anyOf);
  return {
    merged: parts.filter((part) => !isUnion(part)).reduce(merge, {}),
    unions: parts.filter(isUnion),
  };
}

function merge(one: Schema, other: Schema): Schema {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = one;
  return definedOnly({
    ...one,
    ...other,
    minimum: larger(minimum, other.minimum),
    maximum: smaller(maximum, other.maximum),
    minLength: larger(minLength, other.minLength),
    maxLength: smaller(maxLength, other.maxLength),
    minItems: larger(minItems, other.minItems),
    maxItems: smaller(maxItems, other.maxItems),
    enum:
      other.enum && one.enum
        ? one.enum.filter((value) => other.enum!.includes(value))
        : (other.enum ?? one.enum),
    properties: mergeProperties(one.properties, other.properties),
    required:
      one.required || other.required
        ? [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
        : undefined,
  });
}

type Properties = Schema["properties"];

/** A field of both parts has to fulfil both. */
function mergeProperties(one: Properties, other: Properties): Properties {
  if (!one || !other) return one ?? other;
  const shared = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const both = shared.map((name) => [name, { allOf: [one[name]!, other[name]!] }] as const);
  return { ...one, ...other, ...Object.fromEntries(both) };
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.max(one, other);
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.min(one, other);
}

/** Without the keywords that no part has. */
function definedOnly(schema: { readonly [Keyword in keyof Schema]: Schema[Keyword] | undefined }): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
