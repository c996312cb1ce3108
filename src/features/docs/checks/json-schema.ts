import { fullFormats } from "ajv-formats/dist/formats.js";
import type { Schema } from "../model/openapi.ts";

export type JsonSchema = Record<string, unknown>;

export interface Conversion {
  /** The JSON pointer for a reference of the analysis. */
  refer(identity: string): string;
  lookup(identity: string): JsonSchema | undefined;
  /** Whether strings with the format `binary` are files, as in a form. */
  readonly hasFiles: boolean;
}

/**
 * Converts a schema in the dialect of OpenAPI 3.0 to JSON Schema draft 7. Keywords that only describe are omitted:
 * nothing is filled in from a `default`.
 */
export function toJsonSchema(schema: Schema, conversion: Conversion): JsonSchema {
  const source = schema as JsonSchema;
  if (typeof source.$ref === "string") return { $ref: conversion.refer(source.$ref) };
  if (conversion.hasFiles && source.format === "binary") return { type: "object" };
  if (isNull(source)) return { type: "null" };
  const converted: JsonSchema = {};
  for (const keyword of Object.keys(source)) convertKeyword(keyword, source, converted, conversion);
  const guarded = guards.reduce(guard, converted);
  return source.nullable === true ? orNull(guarded) : guarded;
}

function convertKeyword(
  keyword: string,
  source: JsonSchema,
  result: JsonSchema,
  conversion: Conversion,
): void {
  const value = source[keyword];
  const inner = (schema: unknown) => toJsonSchema(schema as Schema, conversion);
  switch (keyword) {
    case "properties":
      result.properties = mapValues(value as JsonSchema, inner);
      break;
    case "items":
    case "not":
      result[keyword] = inner(value);
      break;
    case "additionalProperties":
      result[keyword] = typeof value === "object" ? inner(value) : value;
      break;
    case "allOf":
      result.allOf = (value as Schema[]).map(inner);
      break;
    case "anyOf":
    case "oneOf":
      Object.assign(result, convertUnion(keyword, source, conversion));
      break;
    case "minimum":
    case "maximum":
      result[isExclusive(keyword, source) ? exclusive[keyword] : keyword] = value;
      break;
    case "format":
      if (Object.hasOwn(fullFormats, value as string)) result.format = value;
      break;
    case "pattern":
      if (isPattern(value as string)) result.pattern = value;
      break;
    default:
      if (copied.has(keyword)) result[keyword] = value;
  }
}

const copied = new Set(
  "type enum required minLength maxLength minItems maxItems uniqueItems minProperties maxProperties multipleOf".split(
    " ",
  ),
);

/** A limit, and the keywords whose cost grows with what it limits. */
const guards: readonly (readonly [limit: string, costly: readonly string[]])[] = [
  ["maxLength", ["pattern", "format"]],
  ["maxItems", ["items", "uniqueItems"]],
  ["maxProperties", ["properties", "additionalProperties"]],
];

/**
 * Applies the costly keywords only to values within the limit. Otherwise all of them are applied, because all problems are
 * reported: a text of 1 MiB would be matched with a pattern although at most 50 characters are allowed.
 */
function guard(schema: JsonSchema, [limit, costly]: (typeof guards)[number]): JsonSchema {
  const own = costly.filter((keyword) => Object.hasOwn(schema, keyword));
  if (!Object.hasOwn(schema, limit) || own.length === 0) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !own.includes(keyword));
  const then = Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]]));
  const known = Array.isArray(schema.allOf) ? schema.allOf : [];
  return { ...Object.fromEntries(kept), allOf: [...known, { if: { [limit]: schema[limit] }, then }] };
}

const exclusive = { minimum: "exclusiveMinimum", maximum: "exclusiveMaximum" } as const;

const isExclusive = (keyword: keyof typeof exclusive, source: JsonSchema) =>
  source[exclusive[keyword]] === true;

/** `null` alone, as the analysis writes it. */
const isNull = ({ enum: values }: JsonSchema) =>
  Array.isArray(values) && values.length === 1 && values[0] === null;

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== "string") return unlessNull(schema);
  const isListed = !Array.isArray(values) || values.includes(null);
  return { ...schema, type: [type, "null"], ...(!isListed && { enum: [...(values as unknown[]), null] }) };
}

/** The problems of the other alternative are reported as they are, because there is only one. */
const unlessNull = (schema: JsonSchema): JsonSchema => ({ if: { type: "null" }, else: schema });

function convertUnion(keyword: "anyOf" | "oneOf", source: JsonSchema, conversion: Conversion): JsonSchema {
  const members = source[keyword] as JsonSchema[];
  const others = members.filter((member) => !isNull(member));
  const converted = others.map((member) => toJsonSchema(member as Schema, conversion));
  const propertyName = findTag(others, conversion);
  const union =
    converted.length === 1
      ? converted[0]!
      : propertyName === undefined
        ? { [keyword]: converted }
        : // The validator looks at the property of objects only.
          { type: "object", oneOf: converted, discriminator: { propertyName } };
  return others.length < members.length ? unlessNull(union) : union;
}

/** The property whose value selects the member of a union, so that only the problems of this member are reported. */
function findTag(members: readonly JsonSchema[], { lookup }: Conversion): string | undefined {
  const objects = members.map(
    ({ $ref, ...member }) => (typeof $ref === "string" ? lookup($ref) : member) ?? {},
  );
  const names = Object.keys(objects[0]?.properties ?? {});
  return names.find((name) => {
    const values = objects.map((object) => tagValues(object, name));
    const all = values.flatMap((each) => each ?? []);
    return !values.includes(undefined) && new Set(all).size === all.length;
  });
}

function tagValues(
  { type, nullable, properties, required }: JsonSchema,
  name: string,
): unknown[] | undefined {
  const { enum: values } = (properties as Record<string, JsonSchema> | undefined)?.[name] ?? {};
  const isTag =
    type === "object" &&
    nullable !== true &&
    Array.isArray(values) &&
    values.every((value) => typeof value === "string") &&
    Array.isArray(required) &&
    required.includes(name);
  return isTag ? values : undefined;
}

/** A handler may use a pattern that is valid only without the flag `u`. Then it refuses other values itself. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function mapValues(record: JsonSchema, convert: (value: unknown) => JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));
}
