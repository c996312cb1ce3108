import type { Analysis } from "./openapi/facts.ts";
import { documentedPattern } from "./openapi/places.ts";
import type { OpenAPIDocument, OperationMethod, RequestBody, Schema } from "./openapi/types.ts";
import { prefixOf, type Version } from "./versions/version.ts";

/**
 * Handlers that take an object as their body read its fields, and fail with 500 if the body is `null`. The documents
 * know which handlers do, so that such a body can be refused with 400 before it reaches them.
 */
export function refuseOtherBodies({ registry }: Version, { factsOf, schemas }: Analysis): void {
  const lookup = (identity: string) => schemas[identity]?.schema;
  for (const endpoint of registry.list())
    endpoint.refuseOtherBodies(takesObject(factsOf(endpoint)?.requestBody, lookup));
}

/** The same by a document that was made before. */
export function refuseOtherBodiesBy(
  { registry, label }: Version,
  { paths, components }: OpenAPIDocument,
): void {
  const lookup = (reference: string) => components?.schemas?.[reference.split("/").at(-1)!];
  const prefix = prefixOf(label);
  for (const endpoint of registry.list()) {
    const path = documentedPattern(endpoint.path);
    const item =
      paths[path] ?? (path.startsWith(`${prefix}/`) ? paths[path.slice(prefix.length)] : undefined);
    const operation = item?.[endpoint.method.toLowerCase() as OperationMethod];
    endpoint.refuseOtherBodies(takesObject(operation?.requestBody, lookup));
  }
}

type Lookup = (reference: string) => Schema | undefined;

function takesObject(body: RequestBody | undefined, lookup: Lookup): boolean {
  const json = body?.content["application/json"];
  return json !== undefined && isObject(json.schema, lookup);
}

function isObject(schema: Schema | undefined, lookup: Lookup, depth = 0): boolean {
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
