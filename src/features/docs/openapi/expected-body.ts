import type { RequestBody, Schema } from "../model/openapi.ts";
import type { ExpectedBody } from "../registry/endpoint.ts";

/** Finds the schema that a reference points to. */
export type SchemaLookup = (reference: string) => Schema | undefined;

/** The kind of body that an operation expects. */
export function expectedBody(body: RequestBody | undefined, lookup: SchemaLookup): ExpectedBody {
  const { "application/json": json, "multipart/form-data": form, ...others } = body?.content ?? {};
  return {
    takesObject: json !== undefined && isObject(json.schema, lookup),
    takesFiles: form !== undefined && json === undefined && Object.keys(others).length === 0,
  };
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
