import type { RequestBody, Schema } from "../model/openapi.ts";

/** Finds the schema that a reference points to. */
export type SchemaLookup = (reference: string) => Schema | undefined;

/** Whether a request body must be an object. */
export function takesObject(body: RequestBody | undefined, lookup: SchemaLookup): boolean {
  const json = body?.content["application/json"];
  return json !== undefined && isObject(json.schema, lookup);
}

function isObject(schema: Schema | undefined, lookup: SchemaLookup, depth = 0): boolean {
  if (!schema || depth > 9) return false;
  const inner = (each: Schema) => isObject(each, lookup, depth + 1);
  if ("$ref" in schema) return inner(lookup(schema.$ref as string) ?? {});
  const { type, nullable, allOf, oneOf, anyOf } = schema as Record<string, unknown>;
  if (nullable === true) return false;
  if (type !== undefined) return type === "object";
  if (Array.isArray(allOf)) return allOf.some(inner);
  const members = (oneOf ?? anyOf) as Schema[] | undefined;
  return members !== undefined && members.length > 0 && members.every(inner);
}
