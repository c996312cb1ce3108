import { Ajv, type AnySchema, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { RawComponent, RawSchema } from "../query.ts";

/** Compiles a schema together with its components, like a validator of the finished document. */
export function compileSchema(
  schema: RawSchema,
  components: Readonly<Record<string, RawComponent>>,
): ValidateFunction {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const keys = componentKeys(components);
  const definitions = Object.entries(components).map(([identity, component]) => [
    keys.get(identity)!,
    translate(component.schema, keys),
  ]);
  return ajv.compile({
    ...(translate({ allOf: [schema] }, keys) as object),
    definitions: Object.fromEntries(definitions),
  } as AnySchema);
}

/** Names for a document, which does not allow identities. */
export function componentKeys(components: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(Object.keys(components).map((identity, index) => [identity, `C${index}`]));
}

/**
 * Converts references to JSON pointers, and the exclusive limits of OpenAPI 3.0, which are flags, to the numbers that
 * ajv supports.
 */
function translate(value: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => translate(item, keys));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, part]) => {
    if (key === "$ref" && typeof part === "string") return [[key, `#/definitions/${keys.get(part)}`]];
    if (/^exclusiveM/.test(key) && part === true) return [];
    const limit = { minimum: "exclusiveMinimum", maximum: "exclusiveMaximum" }[key];
    const isExclusive = limit !== undefined && (value as RawSchema)[limit] === true;
    return [[isExclusive ? limit : key, translate(part, keys)]];
  });
  return Object.fromEntries(entries);
}
