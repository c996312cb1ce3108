import type { Schema } from "../../../../src/features/docs/wire.ts";
import { nameOf } from "./document.ts";

/** Short descriptions of schemas. */

/** The type as in TypeScript: `Todo[]`, `string | null`. */
export function typeLabel(schema: Schema): string {
  const word = plainType(schema);
  return schema.nullable ? `${word} | null` : word;
}

function plainType(schema: Schema): string {
  const { $ref, type, items, oneOf, anyOf, allOf, properties, additionalProperties } = schema;
  if ($ref !== undefined) return nameOf($ref);
  const choices = oneOf ?? anyOf;
  if (choices) return joinTypes(choices, " | ");
  if (allOf) return joinTypes(allOf, " & ");
  if (type === "array") {
    const each = items ? typeLabel(items) : "any";
    return / [|&] /.test(each) ? `(${each})[]` : `${each}[]`;
  }
  if (type === "object" && !properties && typeof additionalProperties === "object") {
    return `{ [key]: ${typeLabel(additionalProperties)} }`;
  }
  return type ?? (properties ? "object" : schema.enum ? "value" : "any");
}

/** Shows a few types and the number of the others, so that the text fits in a line. */
function joinTypes(schemas: readonly Schema[], sign: string): string {
  if (schemas.length > 4) return `${schemas.length} types`;
  return [...new Set(schemas.map(typeLabel))].join(sign);
}

/** Other constraints of a value: format, limits, default. */
export function constraintLabels(schema: Schema): string[] {
  return [
    schema.format,
    rangeLabel(schema.minLength, schema.maxLength, "characters"),
    rangeLabel(schema.minItems, schema.maxItems, "items"),
    numberLabel(schema),
    schema.multipleOf !== undefined && `a multiple of ${schema.multipleOf}`,
    schema.uniqueItems && "unique items",
    schema.readOnly && "only in responses",
    schema.writeOnly && "only in requests",
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    // A pattern next to a format is redundant.
    schema.pattern !== undefined && schema.format === undefined && `matches ${cut(schema.pattern, 48)}`,
  ].filter((word) => typeof word === "string");
}

function rangeLabel(least: number | undefined, most: number | undefined, what: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (least === undefined) return `at most ${most} ${what}`;
  if (most === undefined) return `at least ${least} ${what}`;
  return least === most ? `${least} ${what}` : `${least}–${most} ${what}`;
}

function numberLabel({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string | undefined {
  const bounds = [
    minimum !== undefined && `${exclusiveMinimum ? ">" : "≥"} ${minimum}`,
    maximum !== undefined && `${exclusiveMaximum ? "<" : "≤"} ${maximum}`,
  ].filter(Boolean);
  return bounds.length > 0 ? bounds.join(" and ") : undefined;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
